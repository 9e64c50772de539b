// The least work per number read: whatever the derivative does more than needed shows here.
#include "bench/kernel_of.hpp"

namespace assay::bench {

namespace {

constexpr int count = 4096;

double value(const double *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += x[i] * x[i];
  return sum;
}

} // namespace

Kernel sum_of_squares() {
  return kernel_of<value>({"sum_of_squares", count, 0, -2, 2});
}

} // namespace assay::bench
