// A matrix and vectors, which are matrices of one column: the second level of BLAS.
#pragma once
#include "core/engine/library/blas_matrices.h"
#include "core/engine/library/blas_names.h"
#include "core/engine/library/blas_options.h"

void c_gemv(int order, int transpose, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int x_step,
            REAL beta, REAL *y, int y_step) OF_C("gemv");
void c_gemv(int order, int transpose, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int x_step,
            REAL beta, REAL *y, int y_step) {
  const long rows = transpose == no_transpose ? m : n, columns = transpose == no_transpose ? n : m;
  blas_multiply(rows, 1, columns, alpha, a, down(order, transpose, lda), right(order, transpose, lda),
                x + first_of(columns, x_step), x_step, 1, beta, y + first_of(rows, y_step), y_step, 1);
}
void f_gemv(const char *transpose, const int *m, const int *n, const REAL *alpha, const REAL *a, const int *lda,
            const REAL *x, const int *x_step, const REAL *beta, REAL *y, const int *y_step) OF_FORTRAN("gemv");
void f_gemv(const char *transpose, const int *m, const int *n, const REAL *alpha, const REAL *a, const int *lda,
            const REAL *x, const int *x_step, const REAL *beta, REAL *y, const int *y_step) {
  c_gemv(column_major, transpose_of(transpose), *m, *n, *alpha, a, *lda, x, *x_step, *beta, y, *y_step);
}

void c_symv(int order, int triangle, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int x_step, REAL beta,
            REAL *y, int y_step) OF_C("symv");
void c_symv(int order, int triangle, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int x_step, REAL beta,
            REAL *y, int y_step) {
  blas_multiply_symmetric(triangle == upper_triangle, n, 1, alpha, a, down(order, no_transpose, lda),
                          right(order, no_transpose, lda), x + first_of(n, x_step), x_step, 1, beta,
                          y + first_of(n, y_step), y_step, 1);
}
void f_symv(const char *triangle, const int *n, const REAL *alpha, const REAL *a, const int *lda, const REAL *x,
            const int *x_step, const REAL *beta, REAL *y, const int *y_step) OF_FORTRAN("symv");
void f_symv(const char *triangle, const int *n, const REAL *alpha, const REAL *a, const int *lda, const REAL *x,
            const int *x_step, const REAL *beta, REAL *y, const int *y_step) {
  c_symv(column_major, triangle_of(triangle), *n, *alpha, a, *lda, x, *x_step, *beta, y, *y_step);
}

void c_ger(int order, int m, int n, REAL alpha, const REAL *x, int x_step, const REAL *y, int y_step, REAL *a, int lda)
    OF_C("ger");
void c_ger(int order, int m, int n, REAL alpha, const REAL *x, int x_step, const REAL *y, int y_step, REAL *a,
           int lda) {
  blas_add_outer_product(m, n, alpha, x, x_step, y, y_step, a, down(order, no_transpose, lda),
                         right(order, no_transpose, lda));
}
void f_ger(const int *m, const int *n, const REAL *alpha, const REAL *x, const int *x_step, const REAL *y,
           const int *y_step, REAL *a, const int *lda) OF_FORTRAN("ger");
void f_ger(const int *m, const int *n, const REAL *alpha, const REAL *x, const int *x_step, const REAL *y,
           const int *y_step, REAL *a, const int *lda) {
  c_ger(column_major, *m, *n, *alpha, x, *x_step, y, *y_step, a, *lda);
}

void c_syr(int order, int triangle, int n, REAL alpha, const REAL *x, int step, REAL *a, int lda) OF_C("syr");
void c_syr(int order, int triangle, int n, REAL alpha, const REAL *x, int step, REAL *a, int lda) {
  blas_add_square(triangle == upper_triangle, n, alpha, x, step, a, down(order, no_transpose, lda),
                  right(order, no_transpose, lda));
}
void f_syr(const char *triangle, const int *n, const REAL *alpha, const REAL *x, const int *step, REAL *a,
           const int *lda) OF_FORTRAN("syr");
void f_syr(const char *triangle, const int *n, const REAL *alpha, const REAL *x, const int *step, REAL *a,
           const int *lda) {
  c_syr(column_major, triangle_of(triangle), *n, *alpha, x, *step, a, *lda);
}

void c_syr2(int order, int triangle, int n, REAL alpha, const REAL *x, int x_step, const REAL *y, int y_step, REAL *a,
            int lda) OF_C("syr2");
void c_syr2(int order, int triangle, int n, REAL alpha, const REAL *x, int x_step, const REAL *y, int y_step, REAL *a,
            int lda) {
  blas_add_symmetric_product(triangle == upper_triangle, n, alpha, x, x_step, y, y_step, a,
                             down(order, no_transpose, lda), right(order, no_transpose, lda));
}
void f_syr2(const char *triangle, const int *n, const REAL *alpha, const REAL *x, const int *x_step, const REAL *y,
            const int *y_step, REAL *a, const int *lda) OF_FORTRAN("syr2");
void f_syr2(const char *triangle, const int *n, const REAL *alpha, const REAL *x, const int *x_step, const REAL *y,
            const int *y_step, REAL *a, const int *lda) {
  c_syr2(column_major, triangle_of(triangle), *n, *alpha, x, *x_step, y, *y_step, a, *lda);
}

void c_trsv(int order, int triangle, int transpose, int diagonal, int n, const REAL *a, int lda, REAL *x, int step)
    OF_C("trsv");
void c_trsv(int order, int triangle, int transpose, int diagonal, int n, const REAL *a, int lda, REAL *x, int step) {
  blas_solve_triangular(is_upper(triangle, transpose), diagonal == unit_diagonal, n, 1, 1, a,
                        down(order, transpose, lda), right(order, transpose, lda), x + first_of(n, step), step, 1);
}
void f_trsv(const char *triangle, const char *transpose, const char *diagonal, const int *n, const REAL *a,
            const int *lda, REAL *x, const int *step) OF_FORTRAN("trsv");
void f_trsv(const char *triangle, const char *transpose, const char *diagonal, const int *n, const REAL *a,
            const int *lda, REAL *x, const int *step) {
  c_trsv(column_major, triangle_of(triangle), transpose_of(transpose), diagonal_of(diagonal), *n, a, *lda, x, *step);
}

void c_trmv(int order, int triangle, int transpose, int diagonal, int n, const REAL *a, int lda, REAL *x, int step)
    OF_C("trmv");
void c_trmv(int order, int triangle, int transpose, int diagonal, int n, const REAL *a, int lda, REAL *x, int step) {
  blas_multiply_triangular(is_upper(triangle, transpose), diagonal == unit_diagonal, n, 1, 1, a,
                           down(order, transpose, lda), right(order, transpose, lda), x + first_of(n, step), step, 1);
}
void f_trmv(const char *triangle, const char *transpose, const char *diagonal, const int *n, const REAL *a,
            const int *lda, REAL *x, const int *step) OF_FORTRAN("trmv");
void f_trmv(const char *triangle, const char *transpose, const char *diagonal, const int *n, const REAL *a,
            const int *lda, REAL *x, const int *step) {
  c_trmv(column_major, triangle_of(triangle), transpose_of(transpose), diagonal_of(diagonal), *n, a, *lda, x, *step);
}
