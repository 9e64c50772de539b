// Triangular systems of LAPACK, and inverses: of triangular matrices, and of those that getrf and potrf have factored.
#pragma once
#include "core/engine/library/blas_matrices.h"
#include "core/engine/library/lapack_names.h"
#include "core/engine/library/node.h"
#include <stdlib.h>

/// The first zero on the diagonal, from one on; 0 where there is none.
CORE int zero_of_diagonal(int n, const REAL *a, long a_down, long a_right) {
  for (int i = 0; i < n; ++i)
    if (AT(a, i, i) == 0)
      return i + 1;
  return 0;
}

/// An upper triangle becomes its inverse, column by column.
CORE void lapack_invert_upper(bool unit, long n, REAL *a, long a_down, long a_right) {
  for (long j = 0; j < n; ++j) {
    if (!unit)
      AT(a, j, j) = 1 / AT(a, j, j);
    const REAL own = unit ? 1 : AT(a, j, j);
    for (long i = 0; i < j; ++i) {
      REAL sum = unit ? AT(a, i, j) : AT(a, i, i) * AT(a, i, j);
      for (long k = i + 1; k < j; ++k)
        sum += AT(a, i, k) * AT(a, k, j);
      AT(a, i, j) = -sum * own;
    }
  }
}

/// Behind the inverse of U stands L: the columns of U^-1 L^-1, the last first.
CORE void lapack_solve_for_inverse(long n, REAL *a, long a_down, long a_right) {
  REAL *below = malloc((unsigned long)n * sizeof(REAL) + 1);
  for (long j = n - 2; j >= 0; --j) {
    for (long k = j + 1; k < n; ++k) {
      below[k] = AT(a, k, j);
      AT(a, k, j) = 0;
    }
    for (long i = 0; i < n; ++i)
      for (long k = j + 1; k < n; ++k)
        AT(a, i, j) -= AT(a, i, k) * below[k];
  }
  free(below);
}

/// The inverse L of a factor becomes L' L, in the lower triangle.
CORE void lapack_multiply_by_own_transpose(long n, REAL *l, long l_down, long l_right) {
  for (long j = 0; j < n; ++j)
    for (long i = j; i < n; ++i) {
      REAL sum = 0;
      for (long k = i; k < n; ++k)
        sum += AT(l, k, i) * AT(l, k, j);
      AT(l, i, j) = sum;
    }
}

int c_trtrs(int order, char triangle, char transpose, char diagonal, int n, int columns, const REAL *a, int lda,
            REAL *b, int ldb) OF_LAPACKE("trtrs");
int c_trtrs(int order, char triangle, char transpose, char diagonal, int n, int columns, const REAL *a, int lda,
            REAL *b, int ldb) {
  const bool unit = diagonal_of(&diagonal) == unit_diagonal;
  const int turned = transpose_of(&transpose);
  const int zero = unit ? 0 : zero_of_diagonal(n, a, down_of(order, lda), right_of(order, lda));
  if (zero == 0)
    blas_solve_triangular(is_upper(triangle_of(&triangle), turned), unit, n, columns, 1, a, down(order, turned, lda),
                          right(order, turned, lda), b, down_of(order, ldb), right_of(order, ldb));
  return zero;
}
void f_trtrs(const char *triangle, const char *transpose, const char *diagonal, const int *n, const int *columns,
             const REAL *a, const int *lda, REAL *b, const int *ldb, int *info) OF_LAPACK("trtrs");
void f_trtrs(const char *triangle, const char *transpose, const char *diagonal, const int *n, const int *columns,
             const REAL *a, const int *lda, REAL *b, const int *ldb, int *info) {
  *info = c_trtrs(column_major, *triangle, *transpose, *diagonal, *n, *columns, a, *lda, b, *ldb);
}

int c_trtri(int order, char triangle, char diagonal, int n, REAL *a, int lda) OF_LAPACKE("trtri");
int c_trtri(int order, char triangle, char diagonal, int n, REAL *a, int lda) {
  const bool unit = diagonal_of(&diagonal) == unit_diagonal, upper = triangle_of(&triangle) == upper_triangle;
  const long a_down = down_of(order, lda), a_right = right_of(order, lda);
  const int zero = unit ? 0 : zero_of_diagonal(n, a, a_down, a_right);
  if (zero == 0)
    lapack_invert_upper(unit, n, a, upper ? a_down : a_right, upper ? a_right : a_down); // L is the transpose of U.
  return zero;
}
void f_trtri(const char *triangle, const char *diagonal, const int *n, REAL *a, const int *lda, int *info)
    OF_LAPACK("trtri");
void f_trtri(const char *triangle, const char *diagonal, const int *n, REAL *a, const int *lda, int *info) {
  *info = c_trtri(column_major, *triangle, *diagonal, *n, a, *lda);
}

int c_getri(int order, int n, REAL *a, int lda, const int *pivots) OF_LAPACKE("getri");
int c_getri(int order, int n, REAL *a, int lda, const int *pivots) {
  const long a_down = down_of(order, lda), a_right = right_of(order, lda);
  const int zero = zero_of_diagonal(n, a, a_down, a_right);
  if (zero != 0)
    return zero;
  lapack_invert_upper(false, n, a, a_down, a_right);
  lapack_solve_for_inverse(n, a, a_down, a_right);
  for (long k = n - 1; k >= 0; --k)
    swap_rows(n, a, a_right, a_down, k, pivots[k] - 1); // Columns.
  return 0;
}
/// Asked with a length of -1 for the work space that it needs, it says so in the first number of that.
void f_getri(const int *n, REAL *a, const int *lda, const int *pivots, REAL *work, const int *length, int *info)
    OF_LAPACK("getri");
void f_getri(const int *n, REAL *a, const int *lda, const int *pivots, REAL *work, const int *length, int *info) {
  *info = 0;
  if (*length == -1)
    work[0] = (REAL)(*n > 1 ? *n : 1);
  else
    *info = c_getri(column_major, *n, a, *lda, pivots);
}

int c_potri(int order, char triangle, int n, REAL *a, int lda) OF_LAPACKE("potri");
int c_potri(int order, char triangle, int n, REAL *a, int lda) {
  const bool upper = triangle_of(&triangle) == upper_triangle;
  const long l_down = upper ? right_of(order, lda) : down_of(order, lda),
             l_right = upper ? down_of(order, lda) : right_of(order, lda);
  const int zero = zero_of_diagonal(n, a, l_down, l_right);
  if (zero != 0)
    return zero;
  lapack_invert_upper(false, n, a, l_right, l_down);
  lapack_multiply_by_own_transpose(n, a, l_down, l_right);
  return 0;
}
void f_potri(const char *triangle, const int *n, REAL *a, const int *lda, int *info) OF_LAPACK("potri");
void f_potri(const char *triangle, const int *n, REAL *a, const int *lda, int *info) {
  *info = c_potri(column_major, *triangle, *n, a, *lda);
}
