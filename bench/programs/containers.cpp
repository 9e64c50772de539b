// Containers of the standard library.
#include "bench/programs/derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace {

double mixture(const double *x) {
  std::map<int, std::vector<double>> groups;
  for (int i = 0; i < 100; ++i)
    groups[i % 7].push_back(x[i] * std::exp(-x[i]));
  double sum = 0;
  for (const auto &[key, values] : groups) {
    std::vector<double> scaled(values);
    std::transform(scaled.begin(), scaled.end(), scaled.begin(),
                   [&](double value) { return value * value / (key + 1); });
    sum += std::accumulate(scaled.begin(), scaled.end(), 0.0);
  }
  return sum;
}

} // namespace

ASSAY_DERIVATIVES_OF(mixture)
