// Complex matrices, whose packets are put together as integers and change the signs of single lanes.
#include "support/vector_program.hpp"
#include <Eigen/Dense>
#include <complex>

namespace {

double conjugates(const double *x, int n) {
  Eigen::VectorXcd v(n / 2);
  for (int i = 0; i < n / 2; ++i)
    v(i) = {x[2 * i], x[2 * i + 1]};
  const Eigen::MatrixXcd outer = v * v.adjoint();
  const Eigen::MatrixXcd sum = outer.conjugate() + outer.transpose();
  return (sum * v).norm() + outer.real().sum() * sum.imag().squaredNorm() + v.dot(sum.col(0)).real();
}

} // namespace

PLUGIN_TEST(EigenComplex, Conjugates) {
  CHECK_FUNCTION(conjugates, 0.3, 1.2, -0.4, 0.9, 0.7, -0.2);
}
