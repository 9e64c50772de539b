// BLAS as programs declare it themselves: Fortran's names, with results of f2c's, lengths of texts behind the
// arguments, integers of 64 bits (which this library does not have: small positive ones of little-endian machines are
// the same).
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include "support/vector_program.hpp"
#include <cstddef>

extern "C" {
double ddot_(const int *, const double *, const int *, const double *, const int *);
int daxpy_(int *, double *, double *, int *, double *, int *);
void dgemm_(const char *, const char *, const long *, const long *, const long *, const double *, const double *,
            const long *, const double *, const long *, const double *, double *, const long *, std::size_t,
            std::size_t);
void dtrsm_(char *, char *, char *, char *, int *, int *, double *, double *, int *, double *, int *);
void cblas_dscal(long n, double factor, double *x, long step);
}

namespace {

double fortran(const double *x, int) {
  double y[8];
  std::memcpy(y, x, sizeof y);
  int count = 4, one = 1, two = 2, backwards = -1;
  double factor = x[7];
  daxpy_(&count, &factor, y, &one, y + 4, &backwards);
  cblas_dscal(3, factor, y, 1);
  return ddot_(&two, y, &two, y + 3, &one) + ddot_(&count, y + 4, &one, y, &one);
}

double with_lengths(const double *x, int) {
  double c[4] = {1, 2, 3, 4};
  const long two = 2;
  const double alpha = x[8], beta = 0.5;
  dgemm_("T", "n", &two, &two, &two, &alpha, x, &two, x + 4, &two, &beta, c, &two, 1, 1);
  int size = 2;
  double one = 1, a[4] = {x[0] + 2, x[1], 0, x[2] + 3};
  char left = 'l', lower = 'L', no = 'N', not_unit = 'n';
  dtrsm_(&left, &lower, &no, &not_unit, &size, &size, &one, a, &size, c, &size);
  return c[0] * c[0] + 2 * c[1] * c[2] - c[3];
}

} // namespace

PLUGIN_TEST(Blas, NamesOfFortran) {
  CHECK_FUNCTION(fortran, 0.5, -1.25, 0.75, 1.5, -0.25, 0.875, 1.125, 0.625);
}

PLUGIN_TEST(Blas, LengthsOfTextsBehindTheArguments) {
  CHECK_FUNCTION(with_lengths, 0.5, -1.25, 0.75, 1.5, -0.25, 0.875, 1.125, 0.625, 1.75);
}
