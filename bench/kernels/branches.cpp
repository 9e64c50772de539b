// A branch on the data in every iteration, with different mathematics on either side.
#include "bench/kernel_of.hpp"

#include <cmath>

namespace assay::bench {

namespace {

constexpr int count = 1024;

double value(const double *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    if (x[i] > 0)
      sum += std::sqrt(x[i] + 1) * sum * 1e-3 + x[i];
    else
      sum += std::sin(x[i]) * x[i];
  }
  return sum;
}

} // namespace

Kernel branches() {
  return kernel_of<value>({"branches", count, 0, -1, 1});
}

} // namespace assay::bench
