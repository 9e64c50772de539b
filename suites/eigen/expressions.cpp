// Eigen's packets: elementary functions by bits and rounding sums, lanes with changed signs, numbers loaded with
// pointers.
#include "support/vector_program.hpp"
#include <Eigen/Dense>
#include <Eigen/Geometry>
using Eigen::ArrayXd;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;
namespace {
double functions(const double *x, int n) {
  const Map<const ArrayXd> a(x, n);
  const ArrayXd b = a.sin() * (0.3 * a).exp() + (a * a + 1).log() - (a > 0.5).select(a * a, 2 * a);
  return b.sum() + b.maxCoeff() + a.abs().sqrt().sum() + a.tanh().prod() + b.minCoeff() * a.mean();
}
double spacing(const double *x, int n) {
  VectorXd v = VectorXd::LinSpaced(5, x[0], x[1]);
  std::swap(v(0), v(4));
  return v.dot(v.cwiseProduct(v)) * x[2];
}
double rotations(const double *x, int n) {
  Quaterniond q(x[0], x[1], x[2], x[3]);
  const Quaterniond other(x[3], x[2], x[4], x[5]);
  const double between = q.slerp(0.3, other).w();
  q.normalize();
  const Vector3d turned = q * Vector3d(x[4], x[5], x[0]);
  return between + turned.dot(Vector3d(1, 2, 3)) + (q * other).x();
}
double complex_matrix(const double *x, int n) {
  Eigen::Matrix2cd a;
  for (int i = 0; i < 4; ++i)
    a.data()[i] = {x[i], x[i + 2]};
  const Eigen::Matrix2cd b = a * a.adjoint() + Eigen::Matrix2cd::Identity();
  return std::abs(b.determinant()) + b.inverse().trace().real();
}
double product(const double *x, int n) {
  MatrixXd a(20, 20);
  for (int i = 0; i < 400; ++i)
    a.data()[i] = x[i % n] * std::cos(0.3 * i) * 0.1;
  MatrixXd b = a * a;
  b.noalias() -= 0.5 * a * a.transpose();
  return b.squaredNorm() + b(3, 4);
}
} // namespace
PLUGIN_TEST(EigenExpressions, ElementaryFunctions) {
  CHECK_FUNCTION(functions, 0.3, 1.2, -0.4, 0.9, 0.7, -0.2, 0.6);
}
PLUGIN_TEST(EigenExpressions, LinearSpacing) {
  CHECK_FUNCTION(spacing, 0.3, 1.2, -0.4);
}
PLUGIN_TEST(EigenExpressions, Quaternions) {
  CHECK_FUNCTION(rotations, 0.3, 0.4, -0.4, 0.5, 0.2, 0.35);
}
PLUGIN_TEST(EigenExpressions, ComplexMatrices) {
  CHECK_FUNCTION(complex_matrix, 0.3, 1.2, -0.4, 0.9, 0.7, -0.2);
}
PLUGIN_TEST(EigenExpressions, PackedProducts) {
  CHECK_FUNCTION(product, 0.3, 1.2, -0.4, 0.9, 0.7);
}
