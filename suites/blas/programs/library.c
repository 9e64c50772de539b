// For `assay check --with libblas.so`: the numbers that a derivative leaves are those of the library, to the bit.
#include <cblas.h>

double energy(const double *a, const double *x, int n) {
  double y[16];
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, a, n, x, 1, 0, y, 1);
  return cblas_ddot(n, x, 1, y, 1) / cblas_dnrm2(n, x, 1);
}

void solve(const double *a, double *b) {
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 4, 2, 1, a, 4, b, 2);
}
