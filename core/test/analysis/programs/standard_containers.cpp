#include "against_differences.h"
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <vector>
static double f(const double *x, int n) {
  std::vector<std::pair<double, int>> v;
  for (int i = 0; i < n; i++)
    v.emplace_back(-x[i] * x[i], i);
  std::sort(v.begin(), v.end());
  std::array<double, 3> a{x[0], x[1], 2.0};
  auto b = a;
  b[2] *= x[0];
  std::tuple<int, double, float> t{3, x[1] * 2, 1.5f};
  std::optional<double> o;
  if (x[0] > 0)
    o = x[0] * x[2];
  double s = 0;
  for (size_t i = 0; i < v.size(); i++)
    s += v[i].first * (double)(i + 1) + v[i].second;
  return s + b[2] * a[1] + std::get<0>(t) * std::get<1>(t) * std::get<2>(t) + o.value_or(0.0);
}
MAIN(f, 5, 0.5, 1e-5)
