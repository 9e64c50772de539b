// Matrices of dynamic size with Eigen, and a decomposition.
#include "bench/programs/derivatives.hpp"

#include <Eigen/Dense>

namespace {

double solve(const double *x) {
  const Eigen::Map<const Eigen::MatrixXd> matrix(x, 6, 6);
  const Eigen::Map<const Eigen::VectorXd> right(x + 36, 6);
  const Eigen::MatrixXd gram = matrix.transpose() * matrix + Eigen::MatrixXd::Identity(6, 6);
  const Eigen::VectorXd solution = gram.llt().solve(right);
  return solution.squaredNorm() + (matrix * solution).sum();
}

} // namespace

ASSAY_DERIVATIVES_OF(solve)
