// Where the C library's memory is not aligned enough for its packets, Eigen aligns it by itself.
#define EIGEN_MALLOC_ALREADY_ALIGNED 0
#include "support/vector_program.hpp"
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <utility>
#include <vector>

namespace {

double dense(const double *x, int n) {
  const Eigen::Map<const Eigen::MatrixXd> a(x, 3, n / 3);
  const Eigen::MatrixXd square = a * a.transpose() + 3 * Eigen::MatrixXd::Identity(3, 3);
  const Eigen::LLT<Eigen::MatrixXd> factors(square);
  Eigen::VectorXd b = a.col(0);
  for (int step = 0; step < 3; ++step)
    b = factors.solve(b) + 0.1 * b.cwiseProduct(b);
  return b.squaredNorm() + factors.matrixLLT().diagonal().array().log().sum();
}

double sparse(const double *x, int n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 4 + x[i] * x[i]);
    if (i + 1 < n)
      entries.emplace_back(i, i + 1, -x[i]);
  }
  Eigen::SparseMatrix<double> a(n, n);
  a.setFromTriplets(entries.begin(), entries.end());
  Eigen::VectorXd u = Eigen::VectorXd::Ones(n);
  for (int step = 0; step < 3; ++step)
    u = 0.2 * (a * u) + u.cwiseProduct(u);
  return u.sum();
}

double grown(const double *x, int n) {
  Eigen::VectorXd v(1);
  v(0) = x[0];
  for (int i = 1; i < n; ++i) {
    v.conservativeResize(i + 1);
    v(i) = x[i] * v(i - 1);
  }
  Eigen::VectorXd moved = std::move(v);
  return moved.squaredNorm();
}

} // namespace

PLUGIN_TEST(EigenAlignedByHand, Dense) {
  CHECK_FUNCTION(dense, 0.3, 1.2, -0.4, 0.9, 0.7, -0.2);
}
PLUGIN_TEST(EigenAlignedByHand, Sparse) {
  CHECK_FUNCTION(sparse, 0.3, 1.2, -0.4, 0.9);
}
PLUGIN_TEST(EigenAlignedByHand, Grown) {
  CHECK_FUNCTION(grown, 0.9, 1.2, -0.8, 0.7);
}
