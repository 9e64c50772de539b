// The Cholesky factorisation in place, and the logarithm of the determinant.
#include "bench/kernel_of.hpp"
#include "bench/kernels/dominant_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace assay::bench {

namespace {

constexpr int size = 100;

double value(const double *input, double *a, int n, int) {
  copy_dominant(input, a, n);
  for (int j = 0; j < n; ++j) {
    double pivot = a[j * n + j];
    for (int k = 0; k < j; ++k)
      pivot -= a[j * n + k] * a[j * n + k];
    a[j * n + j] = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; ++k)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / a[j * n + j];
    }
  }
  double logarithm = 0;
  for (int i = 0; i < n; ++i)
    logarithm += 2 * std::log(a[i * n + i]);
  return logarithm;
}

} // namespace

Kernel cholesky() {
  return kernel_of<value>({"cholesky", size * size, size * size, -1, 1, 0, {size, 0, 0}});
}

} // namespace assay::bench
