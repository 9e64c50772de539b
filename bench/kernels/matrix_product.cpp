// A product of two matrices and the sum of its squares: three nested loops over constant extents.
#include "bench/kernel_of.hpp"

#include <algorithm>

namespace assay::bench {

namespace {

constexpr int size = 32;

/// Two matrices, row by row, one after the other.
double value(const double *factors, double *product) {
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      double sum = 0;
      for (int k = 0; k < size; ++k)
        sum += factors[i * size + k] * factors[(size + k) * size + j];
      product[i * size + j] = sum;
    }
  double sum = 0;
  for (int i = 0; i < size * size; ++i)
    sum += product[i] * product[i];
  return sum;
}

double primal(Problem &problem) {
  return value(problem.input.data(), problem.scratch.data());
}

void gradient(Problem &problem) {
  std::fill(problem.scratch_shadow.begin(), problem.scratch_shadow.end(), 0.0);
  __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(), problem.gradient.data(),
                          enzyme_dup, problem.scratch.data(), problem.scratch_shadow.data());
}

double forward(Problem &problem) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(),
                                  problem.direction.data(), enzyme_dup, problem.scratch.data(),
                                  problem.scratch_shadow.data());
}

} // namespace

Kernel matrix_product() {
  return kernel_of<primal, gradient, forward>({"matrix_product", 2 * size * size, size * size, -1, 1});
}

} // namespace assay::bench
