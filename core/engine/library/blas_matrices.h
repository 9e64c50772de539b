// Matrices of BLAS in loops: an element is a[i * down + j * right], so that both orders of storage, and transposed
// matrices, are one case.
#pragma once
#include "core/engine/library/blas_vectors.h"
#include <stdbool.h>

/// Where `beta` is 0, the old number is not read: it may be uninitialised.
static inline void scale_or_clear(REAL *at, REAL beta) {
  *at = beta == 0 ? 0 : beta * *at;
}

/// C of m rows and n columns becomes alpha A B + beta C, with A of k columns.
CORE void blas_multiply(long m, long n, long k, REAL alpha, const REAL *restrict a, long a_down, long a_right,
                        const REAL *restrict b, long b_down, long b_right, REAL beta, REAL *restrict c, long c_down,
                        long c_right) {
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i)
      scale_or_clear(&c[i * c_down + j * c_right], beta);
  if (a_down <= a_right)
    for (long j = 0; j < n; ++j)
      for (long l = 0; l < k; ++l) {
        const REAL factor = alpha * b[l * b_down + j * b_right];
        for (long i = 0; i < m; ++i)
          c[i * c_down + j * c_right] += factor * a[i * a_down + l * a_right];
      }
  else
    for (long j = 0; j < n; ++j)
      for (long i = 0; i < m; ++i) {
        REAL sum = 0;
        for (long l = 0; l < k; ++l)
          sum += a[i * a_down + l * a_right] * b[l * b_down + j * b_right];
        c[i * c_down + j * c_right] += alpha * sum;
      }
}

/// The element of a symmetric matrix of which one triangle is stored.
static inline REAL symmetric_at(const REAL *a, long a_down, long a_right, bool upper, long i, long j) {
  const bool is_stored = upper ? i <= j : i >= j;
  return is_stored ? a[i * a_down + j * a_right] : a[j * a_down + i * a_right];
}

/// C = alpha A B + beta C with a symmetric A of m rows.
CORE void blas_multiply_symmetric(bool upper, long m, long n, REAL alpha, const REAL *restrict a, long a_down,
                                  long a_right, const REAL *restrict b, long b_down, long b_right, REAL beta,
                                  REAL *restrict c, long c_down, long c_right) {
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i) {
      REAL sum = 0;
      for (long l = 0; l < m; ++l)
        sum += symmetric_at(a, a_down, a_right, upper, i, l) * b[l * b_down + j * b_right];
      REAL *const at = &c[i * c_down + j * c_right];
      scale_or_clear(at, beta);
      *at += alpha * sum;
    }
}

static inline long first_row(bool upper, long column) {
  return upper ? 0 : column;
}
static inline long end_of_rows(bool upper, long column, long rows) {
  return upper ? column + 1 : rows;
}

/// One triangle of C = alpha (A B' + B A') / 2 + beta C, with A and B of k columns; A = B is alpha A A'.
CORE void blas_multiply_by_transposed(bool upper, long n, long k, REAL alpha, const REAL *a, long a_down, long a_right,
                                      const REAL *b, long b_down, long b_right, REAL beta, REAL *restrict c,
                                      long c_down, long c_right) {
  for (long j = 0; j < n; ++j)
    for (long i = first_row(upper, j); i < end_of_rows(upper, j, n); ++i) {
      REAL sum = 0;
      for (long l = 0; l < k; ++l)
        sum += a[i * a_down + l * a_right] * b[j * b_down + l * b_right];
      REAL *const at = &c[i * c_down + j * c_right];
      scale_or_clear(at, beta);
      *at += alpha * sum;
    }
}

CORE void blas_add_outer_product(long m, long n, REAL alpha, const REAL *restrict x, long x_step,
                                 const REAL *restrict y, long y_step, REAL *restrict a, long a_down, long a_right) {
  const long at_x = first_of(m, x_step), at_y = first_of(n, y_step);
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i)
      a[i * a_down + j * a_right] += alpha * x[at_x + i * x_step] * y[at_y + j * y_step];
}

/// One triangle of A + alpha (x y' + y x').
CORE void blas_add_symmetric_product(bool upper, long n, REAL alpha, const REAL *x, long x_step, const REAL *y,
                                     long y_step, REAL *restrict a, long a_down, long a_right) {
  const long at_x = first_of(n, x_step), at_y = first_of(n, y_step);
  for (long j = 0; j < n; ++j)
    for (long i = first_row(upper, j); i < end_of_rows(upper, j, n); ++i)
      a[i * a_down + j * a_right] +=
          alpha * (x[at_x + i * x_step] * y[at_y + j * y_step] + y[at_y + i * y_step] * x[at_x + j * x_step]);
}

/// One triangle of A + alpha x x'.
CORE void blas_add_square(bool upper, long n, REAL alpha, const REAL *restrict x, long step, REAL *restrict a,
                          long a_down, long a_right) {
  const long at = first_of(n, step);
  for (long j = 0; j < n; ++j)
    for (long i = first_row(upper, j); i < end_of_rows(upper, j, n); ++i)
      a[i * a_down + j * a_right] += alpha * x[at + i * step] * x[at + j * step];
}

/// B of m rows becomes alpha A^-1 B.
CORE void blas_solve_triangular(bool upper, bool unit, long m, long n, REAL alpha, const REAL *restrict a, long a_down,
                                long a_right, REAL *restrict b, long b_down, long b_right) {
  for (long j = 0; j < n; ++j)
    for (long step = 0; step < m; ++step) {
      const long i = upper ? m - 1 - step : step;
      REAL sum = alpha * b[i * b_down + j * b_right];
      for (long l = upper ? i + 1 : 0; l < (upper ? m : i); ++l)
        sum -= a[i * a_down + l * a_right] * b[l * b_down + j * b_right];
      b[i * b_down + j * b_right] = unit ? sum : sum / a[i * a_down + i * a_right];
    }
}

/// B of m rows becomes alpha A B.
CORE void blas_multiply_triangular(bool upper, bool unit, long m, long n, REAL alpha, const REAL *restrict a,
                                   long a_down, long a_right, REAL *restrict b, long b_down, long b_right) {
  for (long j = 0; j < n; ++j)
    for (long step = 0; step < m; ++step) {
      const long i = upper ? step : m - 1 - step;
      const REAL own = b[i * b_down + j * b_right];
      REAL sum = unit ? own : own * a[i * a_down + i * a_right];
      for (long l = upper ? i + 1 : 0; l < (upper ? m : i); ++l)
        sum += a[i * a_down + l * a_right] * b[l * b_down + j * b_right];
      b[i * b_down + j * b_right] = alpha * sum;
    }
}
