// The first level of BLAS, with increments that skip and that go backwards.
#include "blas/blas_program.hpp"

namespace {

using namespace assay::suites;

constexpr int count = 5;

/// The increments of two vectors.
void increments(const Choice *choice, int &first, int &second) {
  first = choice->values[0] != 0 ? -2 : 1;
  second = choice->values[1] != 0 ? 3 : -1;
}

double products(const double *x, const Choice *choice) {
  int first, second;
  increments(choice, first, second);
  return cblas_ddot(count, x, first, x + 20, second) * cblas_ddot(count, x + 2, second, x + 2, second);
}

double norms(const double *x, const Choice *choice) {
  const int step = choice->values[0] != 0 ? 2 : 1;
  return cblas_dnrm2(count, x, step) * cblas_dasum(count, x + 10, step) + cblas_dnrm2(0, x, step);
}

double changes(const double *x, const Choice *choice) {
  int first, second;
  increments(choice, first, second);
  double y[32];
  std::memcpy(y, x + 30, sizeof y);
  cblas_daxpy(count, x[0], x + 1, first, y, second);
  cblas_dscal(count, x[3], y + 1, 2);
  cblas_dswap(count, y, first, y + 16, second);
  cblas_drot(3, y + 2, first, y + 17, second, x[1], x[2]);
  cblas_dcopy(count, y + 16, second, y, first);
  return weighted_squares(y, 32);
}

/// A power iteration: each vector is read by two calls and overwritten by a third.
double iteration(const double *x, const Choice *) {
  double y[8];
  cblas_dcopy(8, x, 1, y, 1);
  for (int i = 0; i < 3; ++i) {
    cblas_dgemv(CblasRowMajor, CblasNoTrans, 4, 4, 1, x + 8, 4, y, 1, 0, y + 4, 1);
    cblas_dcopy(4, y + 4, 1, y, 1);
    cblas_dscal(4, 1 / cblas_dnrm2(4, y, 1), y, 1);
  }
  return weighted_squares(y, 4) + y[1];
}

double chosen(const double *x, const Choice *) {
  return x[3 * cblas_idamax(6, x, 3)] * x[1];
}

float in_floats(const float *x, int n) {
  float y[8];
  cblas_scopy(n, x, 1, y, 1);
  cblas_saxpy(n, x[0], x, 1, y, 1);
  return cblas_sdot(n, x, 1, y, 1) * cblas_snrm2(n, y, 1);
}

double length_at(const double *x, int n) {
  return cblas_dnrm2(n, x, 1);
}

} // namespace

PLUGIN_TEST(Blas, Products) {
  CHECK_OPTIONS(products, 2);
}

PLUGIN_TEST(Blas, Norms) {
  CHECK_OPTIONS(norms, 1);
}

PLUGIN_TEST(Blas, ChangesOfVectors) {
  CHECK_OPTIONS(changes, 2);
}

PLUGIN_TEST(Blas, IterationsInPlace) {
  CHECK_OPTIONS(iteration, 0);
}

PLUGIN_TEST(Blas, IndexOfTheLargest) {
  CHECK_OPTIONS(chosen, 0);
}

/// f = (1 + a) |x|^2 (1 + a) |x| with a = x[0].
PLUGIN_TEST(Blas, SinglePrecision) {
  const float x[3] = {0.5F, -1.25F, 0.75F};
  float shadow[3] = {};
  __enzyme_autodiff<void>((void *)in_floats, enzyme_dup, x, shadow, enzyme_const, 3);
  const double length = std::sqrt(0.25 + 1.5625 + 0.5625);
  for (int i = 0; i < 3; ++i)
    EXPECT_CLOSE_FLOAT(shadow[i], 2.25 * 3 * length * x[i] + (i == 0 ? 3 * length * length * length : 0));
}

PLUGIN_TEST(Blas, LengthsOfTinyHugeAndZeroVectors) {
  for (const double scale : {1e-200, 1.0, 1e200}) {
    const double x[2] = {3 * scale, -4 * scale};
    double shadow[2] = {};
    __enzyme_autodiff<void>((void *)length_at, enzyme_dup, x, shadow, enzyme_const, 2);
    EXPECT_CLOSE(shadow[0], 0.6);
    EXPECT_CLOSE(shadow[1], -0.8);
  }
  const double x[2] = {};
  double shadow[2] = {};
  __enzyme_autodiff<void>((void *)length_at, enzyme_dup, x, shadow, enzyme_const, 2);
  EXPECT_SAME(shadow[0], 0.0);
  EXPECT_SAME(shadow[1], 0.0);
}
