/* Functions whose buffers follow from integers. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* x . y with strides as in BLAS: a negative one begins at the end. */
double dot(int n, const double *x, int incx, const double *y, int incy) {
  double sum = 0;
  int ix = incx < 0 ? (1 - n) * incx : 0, iy = incy < 0 ? (1 - n) * incy : 0;
  for (int i = 0; i < n; ++i, ix += incx, iy += incy)
    sum += x[ix] * y[iy];
  return sum;
}

/* y = A x, row by row, with a leading dimension. */
void product(int n, int lda, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; ++i) {
    y[i] = 0;
    for (int j = 0; j < n; ++j)
      y[i] += a[i * lda + j] * x[j];
  }
}

double gather(const double *x, const int *index, int n, int m) {
  double sum = 0;
  for (int k = 0; k < m; ++k)
    sum += (k + 1) * sin(x[index[k]]);
  return sum;
}

/* ln det A, for symmetric positive definite A; not a number for others. */
double log_determinant(const double *a, int n) {
  double l[64], sum = 0;
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double t = a[i * n + j];
      for (int k = 0; k < j; ++k)
        t -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i == j ? sqrt(t) : t / l[j * n + j];
      sum += i == j ? 2 * log(l[j * n + j]) : 0;
    }
  return sum;
}

double entropy(const double *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum -= p[i] * log(p[i]);
  return sum;
}

/* Its reverse rule forgets the last element of odd sizes. */
__attribute__((noinline)) double squares(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}
struct augmented {
  void *tape;
  double primal;
};
struct augmented squares_augmented(const double *x, double *dx, int n) {
  struct augmented result = {0, squares(x, n)};
  return result;
}
void squares_reverse(const double *x, double *dx, int n, double seed, void *tape) {
  for (int i = 0; i + 1 < n; i += 2) {
    dx[i] += 2 * x[i] * seed;
    dx[i + 1] += 2 * x[i + 1] * seed;
  }
}
void *__enzyme_register_gradient_squares[] = {(void *)squares, (void *)squares_augmented, (void *)squares_reverse};
double odd(const double *x, int n) {
  return squares(x, n);
}

/* Its reverse rule has the wrong sign, in the units of a very small constant. */
__attribute__((noinline)) double energy(double x) {
  return 1e-23 * x * x;
}
struct augmented energy_augmented(double x) {
  struct augmented result = {0, energy(x)};
  return result;
}
double energy_reverse(double x, double seed, void *tape) {
  return -2e-23 * x * seed;
}
void *__enzyme_register_gradient_energy[] = {(void *)energy, (void *)energy_augmented, (void *)energy_reverse};
double thermal(double x) {
  return energy(x);
}

double constant(double x) {
  return x > 1e9 ? x : 3;
}
double quotient(const double *x, double h) {
  return x[0] * x[1] / h;
}
float mean(const float *x) {
  return (x[0] + x[1] + x[2]) / 3;
}

/* Narrow integers in registers, whose upper bits the caller sets, and in memory. */
void shaded(const uint8_t *level, const double *x, double *y, size_t n, bool is_negative, short factor) {
  for (size_t i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * level[i] * (is_negative ? -factor : factor);
}
