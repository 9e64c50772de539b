// What futures hold: vectors, and what is computed when it is asked for.
#include "support/vector_program.hpp"
#include <future>
#include <numeric>
#include <vector>

namespace {

using namespace assay::suites;

double with_results_of_vectors(const double *x, int n) {
  std::vector<std::future<std::vector<double>>> parts;
  for (int k = 0; k < 2; ++k)
    parts.emplace_back(std::async([=] {
      std::vector<double> squares;
      for (int i = k; i < n; i += 2)
        squares.push_back(x[i] * x[i]);
      return squares;
    }));
  double sum = 0;
  int weight = 1;
  for (auto &each : parts)
    for (double value : each.get())
      sum += value * weight++;
  return sum;
}

double when_asked(const double *x, int n) {
  auto sum = std::async(std::launch::deferred, [=] { return std::accumulate(x, x + n, 0.0); });
  return std::sin(sum.get());
}

} // namespace

PLUGIN_TEST(Futures, HaveVectorsAsResults) {
  CHECK_FUNCTION(with_results_of_vectors, 0.9, 0.4, 0.7, 1.2, 0.5);
}
PLUGIN_TEST(Futures, ComputeWhenTheyAreAsked) {
  CHECK_FUNCTION(when_asked, 0.9, 0.4, 0.7);
}
