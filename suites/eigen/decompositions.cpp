// Factorisations and spectra of Eigen: their call trees are large and, without optimisation, thousands of functions.
#include "support/vector_program.hpp"
#include <Eigen/Dense>
using Eigen::MatrixXd;
using Eigen::VectorXd;
namespace {
MatrixXd square_matrix(const double *x, int n, int size) {
  MatrixXd a(size, size);
  for (int i = 0; i < size * size; ++i)
    a.data()[i] = x[i % n] * std::cos(0.3 * i) * 0.4 + (i % (size + 1) == 0 ? 1.0 + 0.7 * i / size : 0);
  return a;
}
double inverse(const double *x, int n) {
  const MatrixXd a = square_matrix(x, n, 5);
  return a.inverse().sum();
}
double singular_values(const double *x, int n) {
  const Eigen::JacobiSVD<MatrixXd> svd(square_matrix(x, n, 4), Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd values = svd.singularValues();
  return values(0) * values(0) + 3 * values(1) - values(2) * values(3);
}
double eigenvalues(const double *x, int n) {
  const MatrixXd a = square_matrix(x, n, 4);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(a + a.transpose(), Eigen::EigenvaluesOnly);
  const VectorXd values = solver.eigenvalues();
  return values(0) * values(0) + 3 * values(1) - values(2) * values(3);
}
} // namespace
PLUGIN_TEST(EigenDecompositions, Inverse) {
  CHECK_FUNCTION(inverse, 0.3, 1.2, -0.4, 0.9, 0.7, -0.2, 0.5);
}
PLUGIN_TEST(EigenDecompositions, SingularValues) {
  CHECK_FUNCTION(singular_values, 0.3, 1.2, -0.4, 0.9, 0.7, -0.2, 0.5);
}
PLUGIN_TEST(EigenDecompositions, EigenvaluesOfASymmetricMatrix) {
  CHECK_FUNCTION(eigenvalues, 0.3, 1.2, -0.4, 0.9, 0.7, -0.2, 0.5);
}
