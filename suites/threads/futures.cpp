// Values that threads compute for others: std::async, and threads that wait for each other.
#include "support/vector_program.hpp"
#include "threads/part_of_sum.hpp"
#include <future>
#include <numeric>
#include <vector>

namespace {

using namespace assay::suites;

double in_parts(const double *x, int n) {
  std::vector<std::future<double>> parts;
  for (int k = 0; k < 3; ++k)
    parts.push_back(std::async(std::launch::async, part, x, k * n / 3, (k + 1) * n / 3));
  double product = 1;
  for (std::future<double> &each : parts)
    product *= 1 + each.get();
  return product;
}

double without_results(const double *x, int n) {
  std::vector<double> out(n);
  std::vector<std::future<void>> parts;
  for (int k = 0; k < 3; ++k)
    parts.push_back(std::async(std::launch::async, [&, k] {
      for (int i = k; i < n; i += 3)
        out[i] = std::exp(-x[i]) * x[(i + 1) % n];
    }));
  for (auto &each : parts)
    each.wait();
  for (auto &each : parts)
    each.get();
  return std::accumulate(out.begin(), out.end(), 0.0);
}

} // namespace

PLUGIN_TEST(Futures, AreThoseOfParts) {
  CHECK_FUNCTION(in_parts, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(Futures, HaveNoResults) {
  CHECK_FUNCTION(without_results, 0.9, 0.4, 0.7, 1.2, 0.5);
}
