// The second level of BLAS, in both orders of storage, with each option.
#include "blas/blas_program.hpp"

namespace {

using namespace assay::suites;

double product(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double y[16];
  std::memcpy(y, x + 60, sizeof y);
  cblas_dgemv(order_of(of[0]), transpose_of(of[1]), 3, 4, x[0], x + 1, 5, x + 30, of[2] != 0 ? -2 : 1, x[50], y,
              of[3] != 0 ? 3 : -1);
  return weighted_squares(y, 16);
}

double cleared(const double *x, const Choice *choice) {
  double y[4] = {__builtin_nan(""), __builtin_nan(""), __builtin_nan(""), __builtin_nan("")};
  cblas_dgemv(order_of(choice->values[0]), CblasNoTrans, 4, 4, 1, x, 4, x + 16, 1, 0, y, 1);
  return weighted_squares(y, 4);
}

double symmetric(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double y[12];
  std::memcpy(y, x + 60, sizeof y);
  cblas_dsymv(order_of(of[0]), triangle_of(of[1]), 4, x[0], x + 1, 5, x + 30, of[2] != 0 ? -2 : 1, x[50], y, 2);
  return weighted_squares(y, 12);
}

double outer(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[20];
  std::memcpy(a, x + 60, sizeof a);
  const CBLAS_ORDER order = order_of(of[0]);
  cblas_dger(order, 3, 4, x[0], x + 1, of[1] != 0 ? -2 : 1, x + 20, 2, a, 4);
  cblas_dsyr(order, triangle_of(of[2]), 4, x[5], x + 8, of[1] != 0 ? -1 : 2, a, 5);
  cblas_dsyr2(order, triangle_of(of[2]), 4, 1.5, x + 3, 1, x + 30, of[1] != 0 ? 2 : -1, a, 4);
  return weighted_squares(a, 20);
}

double triangular(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[20], y[8];
  std::memcpy(a, x, sizeof a);
  std::memcpy(y, x + 40, sizeof y);
  for (int i = 0; i < 4; ++i)
    a[6 * i] += 3;
  cblas_dtrsv(order_of(of[0]), triangle_of(of[1]), transpose_of(of[2]), diagonal_of(of[3]), 4, a, 5, y, 2);
  cblas_dtrmv(order_of(of[0]), triangle_of(of[1]), transpose_of(of[2]), diagonal_of(of[3]), 4, a, 5, y, -1);
  return weighted_squares(y, 8);
}

} // namespace

PLUGIN_TEST(Blas, MatrixTimesVector) {
  CHECK_OPTIONS(product, 4);
}

/// What is there may be no number where beta is zero.
PLUGIN_TEST(Blas, OutputsThatAreNotRead) {
  CHECK_OPTIONS(cleared, 1);
}

PLUGIN_TEST(Blas, SymmetricMatrixTimesVector) {
  CHECK_OPTIONS(symmetric, 3);
}

PLUGIN_TEST(Blas, OuterProducts) {
  CHECK_OPTIONS(outer, 3);
}

PLUGIN_TEST(Blas, TriangularMatrixAndVector) {
  CHECK_OPTIONS(triangular, 4);
}
