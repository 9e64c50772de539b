// Small matrices of dynamic size with Eigen: products, sums and temporaries on the heap.
#include "bench/kernel_of.hpp"

#include <Eigen/Dense>

namespace assay::bench {

namespace {

double value(const double *x, const double *data, int size, int repetitions, int) {
  const Eigen::Map<const Eigen::MatrixXd> first(x, size, size), second(x + size * size, size, size);
  const Eigen::Map<const Eigen::VectorXd> start(data, size);
  Eigen::VectorXd state = start;
  double sum = 0;
  for (int i = 0; i < repetitions; ++i) {
    const Eigen::MatrixXd product = first * second + 0.5 * first.transpose();
    const Eigen::VectorXd next = (product * state).array().tanh();
    sum += (next - start).squaredNorm() + product.trace();
    state = next;
  }
  return sum;
}

constexpr int size = 6;

} // namespace

Kernel small_matrices() {
  return kernel_of<value>({"small_matrices", 2 * size * size, 0, -0.5, 0.5, size, {size, 10, 0}});
}

} // namespace assay::bench
