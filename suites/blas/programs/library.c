// For `assay check --with libblas.so`: the numbers that a derivative leaves are those of the library, to the bit.
#include <cblas.h>
#include <lapacke.h>

double energy(const double *a, const double *x, int n) {
  double y[16];
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, a, n, x, 1, 0, y, 1);
  return cblas_ddot(n, x, 1, y, 1) / cblas_dnrm2(n, x, 1);
}

void solve(const double *a, double *b) {
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 4, 2, 1, a, 4, b, 2);
}

/// Of matrices that are not positive as well, of which a part is factored.
void factor(double *a) {
  for (int i = 0; i < 3; ++i)
    a[4 * i] += 3;
  LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', 3, a, 3);
}

void equations(double *a, double *b) {
  int pivots[4];
  for (int i = 0; i < 4; ++i)
    a[5 * i] += 4;
  LAPACKE_dgesv(LAPACK_ROW_MAJOR, 4, 2, a, 4, pivots, b, 2);
}
