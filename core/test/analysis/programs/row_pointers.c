// Rows of a matrix are swapped as pointers beside a permutation of integers.
#include "common.h"
double __enzyme_autodiff(void *, ...);
double f(const double *m, int n) { // determinant by LU with pivoting, rows swapped as pointers
  double **rows = (double **)malloc(n * sizeof *rows);
  int *perm = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) {
    rows[i] = (double *)malloc(n * sizeof(double));
    memcpy(rows[i], m + i * n, n * sizeof(double));
    perm[i] = i;
  }
  double det = 1;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(rows[i][k]) > fabs(rows[p][k]))
        p = i;
    if (p != k) {
      double *t = rows[p];
      rows[p] = rows[k];
      rows[k] = t;
      int q = perm[p];
      perm[p] = perm[k];
      perm[k] = q;
      det = -det;
    }
    det *= rows[k][k];
    for (int i = k + 1; i < n; i++) {
      double l = rows[i][k] / rows[k][k];
      for (int j = k; j < n; j++)
        rows[i][j] -= l * rows[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    free(rows[i]);
  free(rows);
  free(perm);
  return det;
}
int main() {
  double m[9] = {2, 1, 3, 4, -1, 2, 1, 5, 6}, d[9] = {0};
  int bad = 0;
  double h = 1e-6;
  __enzyme_autodiff((void *)f, enzyme_dup, m, d, enzyme_const, 3);
  for (int i = 0; i < 9; i++) {
    double s = m[i];
    m[i] = s + h;
    double u = f(m, 3);
    m[i] = s - h;
    double l = f(m, 3);
    m[i] = s;
    double fd = (u - l) / (2 * h);
    if (fabs(fd - d[i]) > 1e-6) {
      printf("WRONG %d %g %g\n", i, d[i], fd);
      bad++;
    }
  }
  if (!bad)
    puts("OK");
  return bad;
}
