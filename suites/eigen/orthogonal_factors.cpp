// Orthogonal factors of matrices behind Eigen::Map. Eigen looks at addresses before it moves packets; the matrices of
// odd size in the middle of such a program lie as the compiler puts them, and their shadows otherwise.
#include "support/vector_program.hpp"
#include <Eigen/Dense>

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::MatrixXd;

namespace {

double householder(const double *x, int) {
  const Map<const Matrix3d> a(x);
  const Matrix3d q = a.householderQr().householderQ();
  return (q * q.transpose().cwiseAbs()).sum() + q(0, 1) * 3;
}

double pivoted_householder(const double *x, int) {
  const Map<const Matrix3d> a(x);
  const Eigen::ColPivHouseholderQR<Matrix3d> decomposition(a);
  const Matrix3d q = decomposition.householderQ();
  return q(0, 1) * 3 + q(2, 2) * q(1, 0) + decomposition.absDeterminant();
}

double householder_of_any_size(const double *x, int) {
  const MatrixXd a = Map<const MatrixXd>(x, 3, 3);
  const Eigen::HouseholderQR<MatrixXd> decomposition(a);
  const MatrixXd q = decomposition.householderQ();
  const MatrixXd r = decomposition.matrixQR().triangularView<Eigen::Upper>();
  return q(0, 1) * 3 + q(2, 2) + r(0, 0) * r(1, 2);
}

/// The null space of a wide matrix.
double rotation_between(const double *x, int) {
  const Map<const Eigen::Vector3d> from(x), to(x + 3);
  const Eigen::Quaterniond q = Eigen::Quaterniond::FromTwoVectors(from, to);
  return q.w() + 2 * q.x() - q.y() * q.z();
}

} // namespace

PLUGIN_TEST(EigenOrthogonalFactors, OfHouseholder) {
  CHECK_FUNCTION(householder, 1.1, 0.3, -0.4, 0.2, 1.7, 0.5, -0.6, 0.25, 2.1);
}

PLUGIN_TEST(EigenOrthogonalFactors, OfHouseholderWithPivoting) {
  CHECK_FUNCTION(pivoted_householder, 1.1, 0.3, -0.4, 0.2, 1.7, 0.5, -0.6, 0.25, 2.1);
}

PLUGIN_TEST(EigenOrthogonalFactors, OfHouseholderOfAnySize) {
  CHECK_FUNCTION(householder_of_any_size, 1.1, 0.3, -0.4, 0.2, 1.7, 0.5, -0.6, 0.25, 2.1);
}
PLUGIN_TEST(EigenOrthogonalFactors, OfARotationBetweenVectors) {
  CHECK_FUNCTION(rotation_between, 1.0, 2.0, 0.3, -0.4, 0.8, 1.1);
}
