// Solutions of sparse systems whose matrix depends on the numbers, by direct and by iterative solvers.
#include "support/vector_program.hpp"
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

namespace {

using Matrix = Eigen::SparseMatrix<double>;
enum class Shape { symmetric, any };

constexpr int size = 4;

template <Shape shape>
Matrix tridiagonal(const double *x, int n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) {
    entries.emplace_back(i, i, 4 + x[i % n] * x[i % n]);
    if (i == 0)
      continue;
    entries.emplace_back(i, i - 1, x[(i + 1) % n]);
    entries.emplace_back(i - 1, i, shape == Shape::symmetric ? x[(i + 1) % n] : 0.5 * x[i % n]);
  }
  Matrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  matrix.makeCompressed();
  return matrix;
}

template <class Solver, Shape shape>
double solve(const double *x, int n) {
  const Matrix matrix = tridiagonal<shape>(x, n);
  Eigen::VectorXd right(size);
  for (int i = 0; i < size; ++i)
    right[i] = 1 + i * x[i % n];
  Solver solver;
  solver.compute(matrix);
  return solver.solve(right).eval().squaredNorm();
}

double by_lu(const double *x, int n) {
  return solve<Eigen::SparseLU<Matrix>, Shape::any>(x, n);
}
double by_qr(const double *x, int n) {
  return solve<Eigen::SparseQR<Matrix, Eigen::COLAMDOrdering<int>>, Shape::any>(x, n);
}
double by_ldlt(const double *x, int n) {
  return solve<Eigen::SimplicialLDLT<Matrix>, Shape::symmetric>(x, n);
}
double by_stabilised_gradients(const double *x, int n) {
  return solve<Eigen::BiCGSTAB<Matrix>, Shape::any>(x, n);
}
double by_conjugate_gradients(const double *x, int n) {
  return solve<Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper>, Shape::symmetric>(x, n);
}

} // namespace

PLUGIN_TEST(EigenSparseSolvers, TriangularFactors) {
  CHECK_FUNCTION(by_lu, 1.25, -0.75, 2.25);
}
PLUGIN_TEST(EigenSparseSolvers, OrthogonalFactors) {
  CHECK_FUNCTION(by_qr, 1.25, -0.75, 2.25);
}
PLUGIN_TEST(EigenSparseSolvers, SymmetricFactors) {
  CHECK_FUNCTION(by_ldlt, 1.25, -0.75, 2.25);
}
PLUGIN_TEST(EigenSparseSolvers, StabilisedGradients) {
  CHECK_FUNCTION(by_stabilised_gradients, 1.25, -0.75, 2.25);
}
PLUGIN_TEST(EigenSparseSolvers, ConjugateGradients) {
  CHECK_FUNCTION(by_conjugate_gradients, 1.25, -0.75, 2.25);
}
