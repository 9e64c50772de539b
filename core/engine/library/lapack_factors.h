// Factorisations of LAPACK in loops, on matrices as in blas_matrices.h, and their adjoints in place of those that would
// keep each number of each step.
#pragma once
#include "core/engine/library/blas_matrices.h"
#include "core/engine/library/lapack_names.h"
#include <stdlib.h>

#define UNUSED __attribute__((unused))

/// The lower triangle of A becomes L with L L' = A. Returns 0, or the order of the minor that is not positive.
CORE long lapack_cholesky(long n, REAL *a, long a_down, long a_right) {
  for (long j = 0; j < n; ++j) {
    REAL rest = AT(a, j, j);
    for (long l = 0; l < j; ++l)
      rest -= AT(a, j, l) * AT(a, j, l);
    if (!(rest > 0))
      return j + 1;
    const REAL root = __builtin_elementwise_sqrt(rest);
    AT(a, j, j) = root;
    for (long l = 0; l < j; ++l)
      for (long i = j + 1; i < n; ++i)
        AT(a, i, j) -= AT(a, i, l) * AT(a, j, l);
    for (long i = j + 1; i < n; ++i)
      AT(a, i, j) /= root;
  }
  return 0;
}

static REAL *copy_of_matrix(long m, long n, const REAL *a, long a_down, long a_right) {
  REAL *copy = malloc((unsigned long)(m * n) * sizeof(REAL) + 1);
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i)
      copy[i + j * m] = AT(a, i, j);
  return copy;
}

/// A factor, and how many of its columns there are: a matrix that is not positive has been left half way.
typedef struct {
  REAL *factor;
  long columns;
} Factor;
typedef struct {
  Factor *kept;
  long result;
} Factored;

CORE Factored lapack_cholesky_augmented(long n, REAL *a, UNUSED REAL *adjoint, long a_down, long a_right) {
  const long result = lapack_cholesky(n, a, a_down, a_right);
  Factor *kept = malloc(sizeof *kept);
  kept->factor = copy_of_matrix(n, n, a, a_down, a_right);
  kept->columns = result == 0 ? n : result - 1;
  return (Factored){kept, result};
}

/// The adjoint of L becomes that of A. S. P. Smith, Differentiation of the Cholesky algorithm, Journal of Computational
/// and Graphical Statistics 4 (1995).
CORE void lapack_cholesky_reverse(long n, UNUSED REAL *a, REAL *f, long f_down, long f_right, Factor *kept) {
  const REAL *l = kept->factor;
  const long l_down = 1, l_right = n;
  for (long k = kept->columns - 1; k >= 0; --k) {
    for (long j = k + 1; j < kept->columns; ++j)
      for (long i = j; i < n; ++i) {
        AT(f, i, k) -= AT(f, i, j) * AT(l, j, k);
        AT(f, j, k) -= AT(f, i, j) * AT(l, i, k);
      }
    for (long j = k + 1; j < n; ++j) {
      AT(f, j, k) /= AT(l, k, k);
      AT(f, k, k) -= AT(l, j, k) * AT(f, j, k);
    }
    AT(f, k, k) /= 2 * AT(l, k, k);
  }
  free(kept->factor);
  free(kept);
}

/// A of m rows and n columns becomes L and U with P A = L U; `pivots` are counted from 1. Returns 0, or which pivot is
/// zero, the first one.
CORE long lapack_lu(long m, long n, REAL *a, long a_down, long a_right, int *pivots) {
  long result = 0;
  for (long k = 0; k < (m < n ? m : n); ++k) {
    long pivot = k;
    for (long i = k + 1; i < m; ++i)
      if (__builtin_elementwise_abs(AT(a, i, k)) > __builtin_elementwise_abs(AT(a, pivot, k)))
        pivot = i;
    pivots[k] = (int)pivot + 1;
    if (AT(a, pivot, k) == 0) {
      result = result == 0 ? k + 1 : result;
      continue;
    }
    swap_rows(n, a, a_down, a_right, k, pivot);
    for (long i = k + 1; i < m; ++i)
      AT(a, i, k) /= AT(a, k, k);
    for (long j = k + 1; j < n; ++j)
      for (long i = k + 1; i < m; ++i)
        AT(a, i, j) -= AT(a, i, k) * AT(a, k, j);
  }
  return result;
}

typedef struct {
  REAL *factor;
  int *pivots;
} FactorAndPivots;
typedef struct {
  FactorAndPivots *kept;
  long result;
} Decomposed;

CORE Decomposed lapack_lu_augmented(long m, long n, REAL *a, UNUSED REAL *adjoint, long a_down, long a_right,
                                    int *pivots, UNUSED int *adjoint_of_pivots) {
  const long result = lapack_lu(m, n, a, a_down, a_right, pivots), steps = m < n ? m : n;
  FactorAndPivots *kept = malloc(sizeof *kept);
  kept->factor = copy_of_matrix(m, n, a, a_down, a_right);
  kept->pivots = malloc((unsigned long)steps * sizeof(int) + 1);
  for (long k = 0; k < steps; ++k)
    kept->pivots[k] = pivots[k];
  return (Decomposed){kept, result};
}

/// The adjoint of L and U becomes that of A: each step of the elimination backwards, of which the numbers are those of
/// the factors before the later exchanges of rows.
CORE void lapack_lu_reverse(long m, long n, UNUSED REAL *a, REAL *f, long f_down, long f_right, UNUSED int *pivots,
                            UNUSED int *adjoint_of_pivots, FactorAndPivots *kept) {
  const long l_down = 1, l_right = m;
  REAL *l = copy_of_matrix(m, n, kept->factor, l_down, l_right); // Other lanes read it as well.
  for (long k = (m < n ? m : n) - 1; k >= 0; --k) {
    const REAL divisor = AT(l, k, k);
    for (long j = k + 1; divisor != 0 && j < n; ++j) {
      REAL sum = 0;
      for (long i = k + 1; i < m; ++i) {
        AT(f, i, k) -= AT(f, i, j) * AT(l, k, j);
        sum += AT(f, i, j) * AT(l, i, k);
      }
      AT(f, k, j) -= sum;
    }
    for (long i = k + 1; divisor != 0 && i < m; ++i) {
      AT(f, i, k) /= divisor;
      AT(f, k, k) -= AT(f, i, k) * AT(l, i, k);
    }
    if (divisor != 0) {
      swap_rows(n, f, f_down, f_right, k, kept->pivots[k] - 1);
      swap_rows(n, l, l_down, l_right, k, kept->pivots[k] - 1);
    }
  }
  free(l);
  free(kept->factor);
  free(kept->pivots);
  free(kept);
}

#define JOINED(first, second) first##second
#define NAMED(first, second) JOINED(first, second)
void *NAMED(__enzyme_register_gradient_cholesky_, REAL)[] = {(void *)lapack_cholesky, (void *)lapack_cholesky_augmented,
                                                             (void *)lapack_cholesky_reverse};
void *NAMED(__enzyme_register_gradient_lu_, REAL)[] = {(void *)lapack_lu, (void *)lapack_lu_augmented,
                                                       (void *)lapack_lu_reverse};
