// A polynomial by Horner's rule: a chain in which every partial sum is needed again.
#include "bench/kernel_of.hpp"

namespace assay::bench {

namespace {

constexpr int coefficients = 1024;

/// x[0] is the argument.
double value(const double *x) {
  double sum = 0;
  for (int i = coefficients; i > 0; --i)
    sum = sum * x[0] + x[i];
  return sum;
}

} // namespace

Kernel horner() {
  return kernel_of<value>({"horner", coefficients + 1, 0, 0.1, 0.9});
}

} // namespace assay::bench
