// Matrices: the third level of BLAS.
#pragma once
#include "core/engine/library/blas_matrices.h"
#include "core/engine/library/blas_names.h"
#include "core/engine/library/blas_options.h"

void c_gemm(int order, int transpose_a, int transpose_b, int m, int n, int k, REAL alpha, const REAL *a, int lda,
            const REAL *b, int ldb, REAL beta, REAL *c, int ldc) OF_C("gemm");
void c_gemm(int order, int transpose_a, int transpose_b, int m, int n, int k, REAL alpha, const REAL *a, int lda,
            const REAL *b, int ldb, REAL beta, REAL *c, int ldc) {
  if (order == row_major) // The transposed product, by columns.
    blas_multiply(n, m, k, alpha, b, right(order, transpose_b, ldb), down(order, transpose_b, ldb), a,
                  right(order, transpose_a, lda), down(order, transpose_a, lda), beta, c, 1, ldc);
  else
    blas_multiply(m, n, k, alpha, a, down(order, transpose_a, lda), right(order, transpose_a, lda), b,
                  down(order, transpose_b, ldb), right(order, transpose_b, ldb), beta, c, 1, ldc);
}
void f_gemm(const char *transpose_a, const char *transpose_b, const int *m, const int *n, const int *k,
            const REAL *alpha, const REAL *a, const int *lda, const REAL *b, const int *ldb, const REAL *beta, REAL *c,
            const int *ldc) OF_FORTRAN("gemm");
void f_gemm(const char *transpose_a, const char *transpose_b, const int *m, const int *n, const int *k,
            const REAL *alpha, const REAL *a, const int *lda, const REAL *b, const int *ldb, const REAL *beta, REAL *c,
            const int *ldc) {
  c_gemm(column_major, transpose_of(transpose_a), transpose_of(transpose_b), *m, *n, *k, *alpha, a, *lda, b, *ldb,
         *beta, c, *ldc);
}

void c_symm(int order, int side, int triangle, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb,
            REAL beta, REAL *c, int ldc) OF_C("symm");
void c_symm(int order, int side, int triangle, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb,
            REAL beta, REAL *c, int ldc) {
  // B A is (A B')'.
  const int of_b = side == left_side ? no_transpose : other(no_transpose);
  blas_multiply_symmetric(triangle == upper_triangle, side == left_side ? m : n, side == left_side ? n : m, alpha, a,
                          down(order, no_transpose, lda), right(order, no_transpose, lda), b, down(order, of_b, ldb),
                          right(order, of_b, ldb), beta, c, down(order, of_b, ldc), right(order, of_b, ldc));
}
void f_symm(const char *side, const char *triangle, const int *m, const int *n, const REAL *alpha, const REAL *a,
            const int *lda, const REAL *b, const int *ldb, const REAL *beta, REAL *c, const int *ldc)
    OF_FORTRAN("symm");
void f_symm(const char *side, const char *triangle, const int *m, const int *n, const REAL *alpha, const REAL *a,
            const int *lda, const REAL *b, const int *ldb, const REAL *beta, REAL *c, const int *ldc) {
  c_symm(column_major, side_of(side), triangle_of(triangle), *m, *n, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}

void c_syrk(int order, int triangle, int transpose, int n, int k, REAL alpha, const REAL *a, int lda, REAL beta,
            REAL *c, int ldc) OF_C("syrk");
void c_syrk(int order, int triangle, int transpose, int n, int k, REAL alpha, const REAL *a, int lda, REAL beta,
            REAL *c, int ldc) {
  const long a_down = down(order, transpose, lda), a_right = right(order, transpose, lda);
  blas_multiply_by_transposed(triangle == upper_triangle, n, k, alpha, a, a_down, a_right, a, a_down, a_right, beta, c,
                              down(order, no_transpose, ldc), right(order, no_transpose, ldc));
}
void f_syrk(const char *triangle, const char *transpose, const int *n, const int *k, const REAL *alpha, const REAL *a,
            const int *lda, const REAL *beta, REAL *c, const int *ldc) OF_FORTRAN("syrk");
void f_syrk(const char *triangle, const char *transpose, const int *n, const int *k, const REAL *alpha, const REAL *a,
            const int *lda, const REAL *beta, REAL *c, const int *ldc) {
  c_syrk(column_major, triangle_of(triangle), transpose_of(transpose), *n, *k, *alpha, a, *lda, *beta, c, *ldc);
}

void c_syr2k(int order, int triangle, int transpose, int n, int k, REAL alpha, const REAL *a, int lda, const REAL *b,
             int ldb, REAL beta, REAL *c, int ldc) OF_C("syr2k");
void c_syr2k(int order, int triangle, int transpose, int n, int k, REAL alpha, const REAL *a, int lda, const REAL *b,
             int ldb, REAL beta, REAL *c, int ldc) {
  const long a_down = down(order, transpose, lda), a_right = right(order, transpose, lda),
             b_down = down(order, transpose, ldb), b_right = right(order, transpose, ldb),
             c_down = down(order, no_transpose, ldc), c_right = right(order, no_transpose, ldc);
  const bool upper = triangle == upper_triangle;
  blas_multiply_by_transposed(upper, n, k, alpha, a, a_down, a_right, b, b_down, b_right, beta, c, c_down, c_right);
  blas_multiply_by_transposed(upper, n, k, alpha, b, b_down, b_right, a, a_down, a_right, 1, c, c_down, c_right);
}
void f_syr2k(const char *triangle, const char *transpose, const int *n, const int *k, const REAL *alpha, const REAL *a,
             const int *lda, const REAL *b, const int *ldb, const REAL *beta, REAL *c, const int *ldc)
    OF_FORTRAN("syr2k");
void f_syr2k(const char *triangle, const char *transpose, const int *n, const int *k, const REAL *alpha, const REAL *a,
             const int *lda, const REAL *b, const int *ldb, const REAL *beta, REAL *c, const int *ldc) {
  c_syr2k(column_major, triangle_of(triangle), transpose_of(transpose), *n, *k, *alpha, a, *lda, b, *ldb, *beta, c,
          *ldc);
}

void c_trsm(int order, int side, int triangle, int transpose, int diagonal, int m, int n, REAL alpha, const REAL *a,
            int lda, REAL *b, int ldb) OF_C("trsm");
void c_trsm(int order, int side, int triangle, int transpose, int diagonal, int m, int n, REAL alpha, const REAL *a,
            int lda, REAL *b, int ldb) {
  const bool left = side == left_side; // X A = B is A' X' = B'.
  const int of_a = left ? transpose : other(transpose), of_b = left ? no_transpose : other(no_transpose);
  blas_solve_triangular(is_upper(triangle, of_a), diagonal == unit_diagonal, left ? m : n, left ? n : m, alpha, a,
                        down(order, of_a, lda), right(order, of_a, lda), b, down(order, of_b, ldb),
                        right(order, of_b, ldb));
}
void f_trsm(const char *side, const char *triangle, const char *transpose, const char *diagonal, const int *m,
            const int *n, const REAL *alpha, const REAL *a, const int *lda, REAL *b, const int *ldb) OF_FORTRAN("trsm");
void f_trsm(const char *side, const char *triangle, const char *transpose, const char *diagonal, const int *m,
            const int *n, const REAL *alpha, const REAL *a, const int *lda, REAL *b, const int *ldb) {
  c_trsm(column_major, side_of(side), triangle_of(triangle), transpose_of(transpose), diagonal_of(diagonal), *m, *n,
         *alpha, a, *lda, b, *ldb);
}

void c_trmm(int order, int side, int triangle, int transpose, int diagonal, int m, int n, REAL alpha, const REAL *a,
            int lda, REAL *b, int ldb) OF_C("trmm");
void c_trmm(int order, int side, int triangle, int transpose, int diagonal, int m, int n, REAL alpha, const REAL *a,
            int lda, REAL *b, int ldb) {
  const bool left = side == left_side; // B A is (A' B')'.
  const int of_a = left ? transpose : other(transpose), of_b = left ? no_transpose : other(no_transpose);
  blas_multiply_triangular(is_upper(triangle, of_a), diagonal == unit_diagonal, left ? m : n, left ? n : m, alpha, a,
                           down(order, of_a, lda), right(order, of_a, lda), b, down(order, of_b, ldb),
                           right(order, of_b, ldb));
}
void f_trmm(const char *side, const char *triangle, const char *transpose, const char *diagonal, const int *m,
            const int *n, const REAL *alpha, const REAL *a, const int *lda, REAL *b, const int *ldb) OF_FORTRAN("trmm");
void f_trmm(const char *side, const char *triangle, const char *transpose, const char *diagonal, const int *m,
            const int *n, const REAL *alpha, const REAL *a, const int *lda, REAL *b, const int *ldb) {
  c_trmm(column_major, side_of(side), triangle_of(triangle), transpose_of(transpose), diagonal_of(diagonal), *m, *n,
         *alpha, a, *lda, b, *ldb);
}
