// A tridiagonal system by elimination and back substitution (Thomas).
#include "bench/kernel_of.hpp"

#include <algorithm>
#include <cmath>

namespace assay::bench {

namespace {

constexpr int size = 1000;

/// Below the diagonal, the diagonal less 4, above it, the right side.
double value(const double *input, double *scratch, int n, int) {
  const double *below = input, *diagonal = input + n, *above = input + 2 * n, *right = input + 3 * n;
  double *factor = scratch, *x = scratch + n;
  factor[0] = above[0] / (4 + diagonal[0]);
  x[0] = right[0] / (4 + diagonal[0]);
  for (int i = 1; i < n; ++i) {
    const double scale = 1 / (4 + diagonal[i] - below[i] * factor[i - 1]);
    factor[i] = above[i] * scale;
    x[i] = (right[i] - below[i] * x[i - 1]) * scale;
  }
  for (int i = n - 2; i >= 0; --i)
    x[i] -= factor[i] * x[i + 1];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}

} // namespace

Kernel tridiagonal() {
  return kernel_of<value>({"tridiagonal", 4 * size, 2 * size, -1, 1, 0, {size, 0, 0}});
}

} // namespace assay::bench
