// Containers in static variables that the first call fills, each by another way, and a pool from which each call takes.
#include <assay/check.h>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

static double entry(int key) {
  static std::map<int, double> entries;
  if (entries.empty())
    for (int i = 0; i < 4; ++i)
      entries[i] = 1.0 / (i + 1);
  return entries[key];
}

double weighted_by_map(double x, double y) {
  return entry(1) * std::sin(x) * y + entry(3) * x;
}

static double binomial(int n, int k) {
  static std::unordered_map<int, double> known;
  if (k == 0 || k == n)
    return 1;
  double &value = known[100 * n + k];
  if (value == 0)
    value = binomial(n - 1, k - 1) + binomial(n - 1, k);
  return value;
}

double bernstein(double x) {
  double sum = 0;
  for (int k = 0; k <= 3; ++k)
    sum += binomial(3, k) * std::pow(x, k) * std::pow(1 - x, 3 - k) * k;
  return sum;
}

static std::once_flag is_filled;
static std::vector<double> coefficients;

double series(double x) {
  std::call_once(is_filled, [] {
    for (int i = 0; i < 6; ++i)
      coefficients.push_back(1.0 / (1 + i));
  });
  double sum = 0;
  for (double coefficient : coefficients)
    sum = sum * 0.3 * x + coefficient;
  return sum;
}

static std::vector<std::unique_ptr<double[]>> chunks;
static int taken;

static double *take(int count) {
  if (chunks.empty())
    chunks.push_back(std::make_unique<double[]>(256));
  double *place = chunks.back().get() + taken;
  taken += count;
  return place;
}

double from_pool(double x, double y) {
  taken = 0;
  double *a = take(8), *b = take(8);
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    a[i] = x * i;
    b[i] = y + i;
    sum += std::sin(a[i]) * b[i];
  }
  return sum;
}

ASSAY_CHECK(weighted_by_map);
ASSAY_CHECK(bernstein, "double:unit");
ASSAY_CHECK(series);
ASSAY_CHECK(from_pool);
