// The third level of BLAS, in both orders of storage, with each option.
#include "blas/blas_program.hpp"

namespace {

using namespace assay::suites;

double general(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double c[24];
  std::memcpy(c, x + 60, sizeof c);
  const int lda = 5, ldb = 4, ldc = 5;
  cblas_dgemm(order_of(of[0]), transpose_of(of[1]), transpose_of(of[2]), 3, 4, 2, x[0], x + 1, lda, x + 30, ldb, x[50],
              c, ldc);
  return weighted_squares(c, 24);
}

/// The product of each step is an operand of the next one.
double powers(const double *x, const Choice *) {
  double power[9], next[9];
  std::memcpy(power, x, sizeof power);
  for (int i = 0; i < 3; ++i) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 3, 3, 3, 0.5, power, 3, x + 20, 3, 0, next, 3);
    std::memcpy(power, next, sizeof power);
  }
  return weighted_squares(power, 9);
}

double symmetric(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double c[24];
  std::memcpy(c, x + 60, sizeof c);
  cblas_dsymm(order_of(of[0]), side_of(of[1]), triangle_of(of[2]), 3, 4, x[0], x + 1, 4, x + 30, 4, x[50], c, 5);
  return weighted_squares(c, 24);
}

double squares(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double c[24];
  std::memcpy(c, x + 60, sizeof c);
  cblas_dsyrk(order_of(of[0]), triangle_of(of[1]), transpose_of(of[2]), 3, 4, x[0], x + 1, 5, x[50], c, 5);
  cblas_dsyr2k(order_of(of[0]), triangle_of(of[1]), transpose_of(of[2]), 4, 3, x[51], x + 1, 4, x + 30, 5, 0.75, c, 4);
  return weighted_squares(c, 24);
}

double triangular(const double *x, const Choice *choice) {
  const int *of = choice->values;
  double a[20], b[20];
  std::memcpy(a, x, sizeof a);
  std::memcpy(b, x + 40, sizeof b);
  for (int i = 0; i < 4; ++i)
    a[6 * i] += 3;
  const CBLAS_ORDER order = order_of(of[0]);
  cblas_dtrsm(order, side_of(of[1]), triangle_of(of[2]), transpose_of(of[3]), diagonal_of(of[4]), 4, 3, x[90], a, 5, b,
              4);
  cblas_dtrmm(order, side_of(of[1]), triangle_of(of[2]), transpose_of(of[3]), diagonal_of(of[4]), 3, 4, x[91], a, 5, b,
              5);
  return weighted_squares(b, 20);
}

double second(const double *x, const double *direction) {
  static constexpr Choice choice{{1, 0, 1}};
  return __enzyme_fwddiff<double>((void *)general, enzyme_dup, x, direction, enzyme_const, &choice);
}

} // namespace

PLUGIN_TEST(Blas, MatrixTimesMatrix) {
  CHECK_OPTIONS(general, 3);
}

PLUGIN_TEST(Blas, PowersOfMatrices) {
  CHECK_OPTIONS(powers, 0);
}

PLUGIN_TEST(Blas, SymmetricMatrices) {
  CHECK_OPTIONS(symmetric, 3);
}

PLUGIN_TEST(Blas, SymmetricProducts) {
  CHECK_OPTIONS(squares, 3);
}

PLUGIN_TEST(Blas, TriangularMatrices) {
  CHECK_OPTIONS(triangular, 5);
}

PLUGIN_TEST(Blas, SecondDerivatives) {
  check_second_derivative<second>(__FILE__, __LINE__);
}
