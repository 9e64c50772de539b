// The LU factorisation of lu.cpp in a vector of vectors.
#include "bench/kernel_of.hpp"
#include "bench/kernels/dominant_matrix.hpp"

#include <cmath>
#include <vector>

namespace assay::bench {

namespace {

constexpr int size = 100;

double value(const double *input, double *work, int n, int) {
  copy_dominant(input, work, n);
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i][j] = work[i * n + j];
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; ++j)
        a[i][j] -= a[i][k] * a[k][j];
    }
  double logarithm = 0;
  for (int i = 0; i < n; ++i)
    logarithm += std::log(std::fabs(a[i][i]));
  return logarithm;
}

} // namespace

Kernel lu_of_rows() {
  return kernel_of<value>({"lu_of_rows", size * size, size * size, -1, 1, 0, {size, 0, 0}});
}

} // namespace assay::bench
