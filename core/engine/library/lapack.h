// Linear systems of LAPACK, with the interfaces of LAPACKE, which has the order of storage as its first argument and
// returns what Fortran's function writes to its last one.
#pragma once
#include "core/engine/library/blas_options.h"
#include "core/engine/library/lapack_factors.h"
#include "core/engine/library/node.h"

int c_potrf(int order, char triangle, int n, REAL *a, int lda) OF_LAPACKE("potrf");
int c_potrf(int order, char triangle, int n, REAL *a, int lda) {
  const bool upper = triangle_of(&triangle) == upper_triangle; // U is L'.
  return (int)lapack_cholesky(n, a, upper ? right_of(order, lda) : down_of(order, lda),
                              upper ? down_of(order, lda) : right_of(order, lda));
}
void f_potrf(const char *triangle, const int *n, REAL *a, const int *lda, int *info) OF_LAPACK("potrf");
void f_potrf(const char *triangle, const int *n, REAL *a, const int *lda, int *info) {
  *info = c_potrf(column_major, *triangle, *n, a, *lda);
}

int c_potrs(int order, char triangle, int n, int columns, const REAL *a, int lda, REAL *b, int ldb) OF_LAPACKE("potrs");
int c_potrs(int order, char triangle, int n, int columns, const REAL *a, int lda, REAL *b, int ldb) {
  const bool upper = triangle_of(&triangle) == upper_triangle;
  const long l_down = upper ? right_of(order, lda) : down_of(order, lda),
             l_right = upper ? down_of(order, lda) : right_of(order, lda);
  blas_solve_triangular(false, false, n, columns, 1, a, l_down, l_right, b, down_of(order, ldb), right_of(order, ldb));
  blas_solve_triangular(true, false, n, columns, 1, a, l_right, l_down, b, down_of(order, ldb), right_of(order, ldb));
  return 0;
}
void f_potrs(const char *triangle, const int *n, const int *columns, const REAL *a, const int *lda, REAL *b,
             const int *ldb, int *info) OF_LAPACK("potrs");
void f_potrs(const char *triangle, const int *n, const int *columns, const REAL *a, const int *lda, REAL *b,
             const int *ldb, int *info) {
  *info = c_potrs(column_major, *triangle, *n, *columns, a, *lda, b, *ldb);
}

int c_posv(int order, char triangle, int n, int columns, REAL *a, int lda, REAL *b, int ldb) OF_LAPACKE("posv");
int c_posv(int order, char triangle, int n, int columns, REAL *a, int lda, REAL *b, int ldb) {
  const int info = c_potrf(order, triangle, n, a, lda);
  return info != 0 ? info : c_potrs(order, triangle, n, columns, a, lda, b, ldb);
}
void f_posv(const char *triangle, const int *n, const int *columns, REAL *a, const int *lda, REAL *b, const int *ldb,
            int *info) OF_LAPACK("posv");
void f_posv(const char *triangle, const int *n, const int *columns, REAL *a, const int *lda, REAL *b, const int *ldb,
            int *info) {
  *info = c_posv(column_major, *triangle, *n, *columns, a, *lda, b, *ldb);
}

int c_getrf(int order, int m, int n, REAL *a, int lda, int *pivots) OF_LAPACKE("getrf");
int c_getrf(int order, int m, int n, REAL *a, int lda, int *pivots) {
  return (int)lapack_lu(m, n, a, down_of(order, lda), right_of(order, lda), pivots);
}
void f_getrf(const int *m, const int *n, REAL *a, const int *lda, int *pivots, int *info) OF_LAPACK("getrf");
void f_getrf(const int *m, const int *n, REAL *a, const int *lda, int *pivots, int *info) {
  *info = c_getrf(column_major, *m, *n, a, *lda, pivots);
}

int c_getrs(int order, char transpose, int n, int columns, const REAL *a, int lda, const int *pivots, REAL *b, int ldb)
    OF_LAPACKE("getrs");
int c_getrs(int order, char transpose, int n, int columns, const REAL *a, int lda, const int *pivots, REAL *b,
            int ldb) {
  const long a_down = down_of(order, lda), a_right = right_of(order, lda), b_down = down_of(order, ldb),
             b_right = right_of(order, ldb);
  if (is_letter(&transpose, 'n')) {
    for (long k = 0; k < n; ++k)
      swap_rows(columns, b, b_down, b_right, k, pivots[k] - 1);
    blas_solve_triangular(false, true, n, columns, 1, a, a_down, a_right, b, b_down, b_right);
    blas_solve_triangular(true, false, n, columns, 1, a, a_down, a_right, b, b_down, b_right);
    return 0;
  }
  blas_solve_triangular(false, false, n, columns, 1, a, a_right, a_down, b, b_down, b_right);
  blas_solve_triangular(true, true, n, columns, 1, a, a_right, a_down, b, b_down, b_right);
  for (long k = n - 1; k >= 0; --k)
    swap_rows(columns, b, b_down, b_right, k, pivots[k] - 1);
  return 0;
}
void f_getrs(const char *transpose, const int *n, const int *columns, const REAL *a, const int *lda, const int *pivots,
             REAL *b, const int *ldb, int *info) OF_LAPACK("getrs");
void f_getrs(const char *transpose, const int *n, const int *columns, const REAL *a, const int *lda, const int *pivots,
             REAL *b, const int *ldb, int *info) {
  *info = c_getrs(column_major, *transpose, *n, *columns, a, *lda, pivots, b, *ldb);
}

int c_gesv(int order, int n, int columns, REAL *a, int lda, int *pivots, REAL *b, int ldb) OF_LAPACKE("gesv");
int c_gesv(int order, int n, int columns, REAL *a, int lda, int *pivots, REAL *b, int ldb) {
  const int info = c_getrf(order, n, n, a, lda, pivots);
  return info != 0 ? info : c_getrs(order, 'N', n, columns, a, lda, pivots, b, ldb);
}
void f_gesv(const int *n, const int *columns, REAL *a, const int *lda, int *pivots, REAL *b, const int *ldb, int *info)
    OF_LAPACK("gesv");
void f_gesv(const int *n, const int *columns, REAL *a, const int *lda, int *pivots, REAL *b, const int *ldb,
            int *info) {
  *info = c_gesv(column_major, *n, *columns, a, *lda, pivots, b, *ldb);
}
