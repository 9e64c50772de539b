// Vectors of BLAS: loops over `REAL` numbers, with the increments of its interfaces. A negative one goes through a
// vector from its end.
#pragma once

/// Derivatives are made of each once, whatever number of interfaces has it.
#define CORE static __attribute__((noinline, unused))

/// The first number of a vector of `count`, in the order in which BLAS takes them.
static inline long first_of(long count, long step) {
  return step < 0 ? (1 - count) * step : 0;
}

CORE REAL blas_dot_of(long count, const REAL *x, long x_step, const REAL *y, long y_step) {
  REAL sum = 0;
  for (long i = 0, at_x = first_of(count, x_step), at_y = first_of(count, y_step); i < count; ++i)
    sum += x[at_x + i * x_step] * y[at_y + i * y_step];
  return sum;
}

CORE void blas_add_scaled(long count, REAL factor, const REAL *restrict x, long x_step, REAL *restrict y, long y_step) {
  for (long i = 0, at_x = first_of(count, x_step), at_y = first_of(count, y_step); i < count; ++i)
    y[at_y + i * y_step] += factor * x[at_x + i * x_step];
}

CORE void blas_scale(long count, REAL factor, REAL *x, long step) {
  for (long i = 0; step > 0 && i < count; ++i)
    x[i * step] *= factor;
}

CORE void blas_copy_vector(long count, const REAL *restrict x, long x_step, REAL *restrict y, long y_step) {
  for (long i = 0, at_x = first_of(count, x_step), at_y = first_of(count, y_step); i < count; ++i)
    y[at_y + i * y_step] = x[at_x + i * x_step];
}

CORE void blas_swap_vectors(long count, REAL *restrict x, long x_step, REAL *restrict y, long y_step) {
  for (long i = 0, at_x = first_of(count, x_step), at_y = first_of(count, y_step); i < count; ++i) {
    const REAL kept = x[at_x + i * x_step];
    x[at_x + i * x_step] = y[at_y + i * y_step];
    y[at_y + i * y_step] = kept;
  }
}

CORE void blas_rotate(long count, REAL *restrict x, long x_step, REAL *restrict y, long y_step, REAL cosine,
                      REAL sine) {
  for (long i = 0, at_x = first_of(count, x_step), at_y = first_of(count, y_step); i < count; ++i) {
    const REAL u = x[at_x + i * x_step], v = y[at_y + i * y_step];
    x[at_x + i * x_step] = cosine * u + sine * v;
    y[at_y + i * y_step] = cosine * v - sine * u;
  }
}

CORE REAL blas_sum_of_magnitudes(long count, const REAL *x, long step) {
  REAL sum = 0;
  for (long i = 0; step > 0 && i < count; ++i)
    sum += x[i * step] < 0 ? -x[i * step] : x[i * step];
  return sum;
}

CORE long blas_index_of_largest(long count, const REAL *x, long step) {
  long best = 0;
  REAL largest = -1;
  for (long i = 0; step > 0 && i < count; ++i) {
    const REAL size = x[i * step] < 0 ? -x[i * step] : x[i * step];
    if (size > largest)
      largest = size, best = i;
  }
  return best;
}

/// At zero its derivative is taken for zero. Numbers of which the squares overflow or vanish are scaled by the largest.
CORE REAL blas_length_of(long count, const REAL *x, long step) {
  REAL sum = 0, largest = 0;
  for (long i = 0; step > 0 && i < count; ++i)
    sum += x[i * step] * x[i * step];
  if (sum > SMALLEST_SQUARE && sum < LARGEST_SQUARE)
    return __builtin_elementwise_sqrt(sum);
  for (long i = 0; step > 0 && i < count; ++i) {
    const REAL size = x[i * step] < 0 ? -x[i * step] : x[i * step];
    largest = size > largest ? size : largest;
  }
  if (largest == 0)
    return 0;
  sum = 0;
  for (long i = 0; i < count; ++i)
    sum += x[i * step] / largest * (x[i * step] / largest);
  return largest * __builtin_elementwise_sqrt(sum);
}
