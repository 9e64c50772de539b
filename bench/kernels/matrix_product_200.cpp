// A product of two matrices of an extent that the compiler does not know, where the result may or may not overlap.
#include "bench/kernel_of.hpp"

#include <algorithm>
#include <cmath>

namespace assay::bench {

namespace {

constexpr int size = 200;

void product(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void separate_product(const double *__restrict a, const double *__restrict b, double *__restrict c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

double sum_of(const double *c, int n) {
  double sum = 0;
  for (int i = 0; i < n * n; ++i)
    sum += c[i] * (1 + i % 3);
  return sum;
}

double value(const double *factors, double *c, int n, int) {
  product(factors, factors + n * n, c, n);
  return sum_of(c, n);
}

double separate_value(const double *factors, double *c, int n, int) {
  separate_product(factors, factors + n * n, c, n);
  return sum_of(c, n);
}

} // namespace

Kernel matrix_product_200() {
  return kernel_of<value>({"product_200", 2 * size * size, size * size, -1, 1, 0, {size, 0, 0}});
}

Kernel matrix_product_restrict() {
  return kernel_of<separate_value>({"product_restrict", 2 * size * size, size * size, -1, 1, 0, {size, 0, 0}});
}

} // namespace assay::bench
