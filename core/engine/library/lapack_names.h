// What the functions of LAPACK have in common: their names, the order of storage, and exchanges of rows.
#pragma once
#include "core/engine/library/blas_options.h"
#include "core/engine/library/blas_vectors.h"

#define OF_LAPACKE(name) __asm__("LAPACKE_" LETTER name)
#define OF_LAPACK(name) __asm__(LETTER name "_")

// LAPACKE takes the order of storage without another option, and letters by value.
static inline long down_of(int order, long leading) {
  return down(order, no_transpose, leading);
}
static inline long right_of(int order, long leading) {
  return right(order, no_transpose, leading);
}

#define AT(a, i, j) a[(i) * a##_down + (j) * a##_right]

static void swap_rows(long n, REAL *a, long a_down, long a_right, long one, long other) {
  for (long j = 0; one != other && j < n; ++j) {
    const REAL kept = AT(a, one, j);
    AT(a, one, j) = AT(a, other, j);
    AT(a, other, j) = kept;
  }
}
