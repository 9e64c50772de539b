// The LU factorisation in place, without pivots, and the logarithm of the determinant.
#include "bench/kernel_of.hpp"
#include "bench/kernels/dominant_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace assay::bench {

namespace {

constexpr int size = 100;

double value(const double *input, double *a, int n, int) {
  copy_dominant(input, a, n);
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  double logarithm = 0;
  for (int i = 0; i < n; ++i)
    logarithm += std::log(std::fabs(a[i * n + i]));
  return logarithm;
}

} // namespace

Kernel lu() {
  return kernel_of<value>({"lu", size * size, size * size, -1, 1, 0, {size, 0, 0}});
}

} // namespace assay::bench
