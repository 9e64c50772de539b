// Vectors: the first level of BLAS.
#pragma once
#include "core/engine/library/blas_names.h"
#include "core/engine/library/blas_vectors.h"

REAL c_dot(int n, const REAL *x, int x_step, const REAL *y, int y_step) OF_C("dot");
REAL c_dot(int n, const REAL *x, int x_step, const REAL *y, int y_step) {
  return blas_dot_of(n, x, x_step, y, y_step);
}
REAL f_dot(const int *n, const REAL *x, const int *x_step, const REAL *y, const int *y_step) OF_FORTRAN("dot");
REAL f_dot(const int *n, const REAL *x, const int *x_step, const REAL *y, const int *y_step) {
  return blas_dot_of(*n, x, *x_step, y, *y_step);
}

void c_axpy(int n, REAL factor, const REAL *x, int x_step, REAL *y, int y_step) OF_C("axpy");
void c_axpy(int n, REAL factor, const REAL *x, int x_step, REAL *y, int y_step) {
  blas_add_scaled(n, factor, x, x_step, y, y_step);
}
void f_axpy(const int *n, const REAL *factor, const REAL *x, const int *x_step, REAL *y, const int *y_step)
    OF_FORTRAN("axpy");
void f_axpy(const int *n, const REAL *factor, const REAL *x, const int *x_step, REAL *y, const int *y_step) {
  blas_add_scaled(*n, *factor, x, *x_step, y, *y_step);
}

void c_scal(int n, REAL factor, REAL *x, int step) OF_C("scal");
void c_scal(int n, REAL factor, REAL *x, int step) {
  blas_scale(n, factor, x, step);
}
void f_scal(const int *n, const REAL *factor, REAL *x, const int *step) OF_FORTRAN("scal");
void f_scal(const int *n, const REAL *factor, REAL *x, const int *step) {
  blas_scale(*n, *factor, x, *step);
}

void c_copy(int n, const REAL *x, int x_step, REAL *y, int y_step) OF_C("copy");
void c_copy(int n, const REAL *x, int x_step, REAL *y, int y_step) {
  blas_copy_vector(n, x, x_step, y, y_step);
}
void f_copy(const int *n, const REAL *x, const int *x_step, REAL *y, const int *y_step) OF_FORTRAN("copy");
void f_copy(const int *n, const REAL *x, const int *x_step, REAL *y, const int *y_step) {
  blas_copy_vector(*n, x, *x_step, y, *y_step);
}

void c_swap(int n, REAL *x, int x_step, REAL *y, int y_step) OF_C("swap");
void c_swap(int n, REAL *x, int x_step, REAL *y, int y_step) {
  blas_swap_vectors(n, x, x_step, y, y_step);
}
void f_swap(const int *n, REAL *x, const int *x_step, REAL *y, const int *y_step) OF_FORTRAN("swap");
void f_swap(const int *n, REAL *x, const int *x_step, REAL *y, const int *y_step) {
  blas_swap_vectors(*n, x, *x_step, y, *y_step);
}

void c_rot(int n, REAL *x, int x_step, REAL *y, int y_step, REAL cosine, REAL sine) OF_C("rot");
void c_rot(int n, REAL *x, int x_step, REAL *y, int y_step, REAL cosine, REAL sine) {
  blas_rotate(n, x, x_step, y, y_step, cosine, sine);
}
void f_rot(const int *n, REAL *x, const int *x_step, REAL *y, const int *y_step, const REAL *cosine, const REAL *sine)
    OF_FORTRAN("rot");
void f_rot(const int *n, REAL *x, const int *x_step, REAL *y, const int *y_step, const REAL *cosine, const REAL *sine) {
  blas_rotate(*n, x, *x_step, y, *y_step, *cosine, *sine);
}

REAL c_asum(int n, const REAL *x, int step) OF_C("asum");
REAL c_asum(int n, const REAL *x, int step) {
  return blas_sum_of_magnitudes(n, x, step);
}
REAL f_asum(const int *n, const REAL *x, const int *step) OF_FORTRAN("asum");
REAL f_asum(const int *n, const REAL *x, const int *step) {
  return blas_sum_of_magnitudes(*n, x, *step);
}

REAL c_nrm2(int n, const REAL *x, int step) OF_C("nrm2");
REAL c_nrm2(int n, const REAL *x, int step) {
  return blas_length_of(n, x, step);
}
REAL f_nrm2(const int *n, const REAL *x, const int *step) OF_FORTRAN("nrm2");
REAL f_nrm2(const int *n, const REAL *x, const int *step) {
  return blas_length_of(*n, x, *step);
}

size_t c_iamax(int n, const REAL *x, int step) __asm__("cblas_i" LETTER "amax");
size_t c_iamax(int n, const REAL *x, int step) {
  return (size_t)blas_index_of_largest(n, x, step);
}
int f_iamax(const int *n, const REAL *x, const int *step) __asm__("i" LETTER "amax_");
int f_iamax(const int *n, const REAL *x, const int *step) {
  return *n < 1 || *step < 1 ? 0 : (int)blas_index_of_largest(*n, x, *step) + 1;
}
