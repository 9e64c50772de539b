// Functions of many inputs with a derivative that is wrong in one element, by a part in a thousand.

#include <assay/check.h>
#include <math.h>
#include <stddef.h>

/// y = x * x, element by element; the reverse rule is wrong at 617.
void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
void *squares_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  squares(x, y, n);
  return NULL;
}
void squares_reverse(const double *x, double *dx, double *y, double *dy, int n, void *tape) {
  for (int i = 0; i < n; ++i) {
    dx[i] += 2 * x[i] * dy[i] * (i == 617 ? 1.001 : 1);
    dy[i] = 0;
  }
}
void *__enzyme_register_gradient_squares[] = {(void *)squares, (void *)squares_augmented, (void *)squares_reverse};

double weighted_squares(const double *x, const double *w, int n) {
  double y[1000], sum = 0;
  squares(x, y, n);
  for (int i = 0; i < n; ++i)
    sum += w[i] * y[i];
  return sum;
}
ASSAY_CHECK_FAILS(weighted_squares, "double[1000]", "const double[1000]:log(1e-4,1e4)", "int=1000");

/// The matrix product, whose reverse rule is wrong in one element of a.
__attribute__((noinline)) void times(const double *restrict a, const double *restrict b, double *restrict c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
void *times_augmented(const double *a, double *da, const double *b, double *db, double *c, double *dc, int n) {
  times(a, b, c, n);
  return NULL;
}
void times_reverse(const double *a, double *da, const double *b, double *db, double *c, double *dc, int n, void *tape) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        da[i * n + k] += dc[i * n + j] * b[k * n + j] * (i == 3 && k == 44 ? 1.001 : 1);
        db[k * n + j] += a[i * n + k] * dc[i * n + j];
      }
  for (int i = 0; i < n * n; ++i)
    dc[i] = 0;
}
void *__enzyme_register_gradient_times[] = {(void *)times, (void *)times_augmented, (void *)times_reverse};

void wrong_product(const double *a, const double *b, double *c, int n) {
  times(a, b, c, n);
}
ASSAY_CHECK_FAILS(wrong_product, "double[100x100]", "double[100x100]", "double[100x100]", "int=100");

/// A slow function with a rule that misses a factor.
__attribute__((noinline)) double drag(double v) {
  return v * v * v;
}
double drag_derivative(double v, double dv) {
  return 3.003 * v * v * dv;
}
void *__enzyme_register_derivative_drag[] = {(void *)drag, (void *)drag_derivative};

double fall(double v, double k) {
  for (int i = 0; i < 5000000; ++i)
    v = v - 1e-8 * k * drag(v);
  return v;
}
ASSAY_CHECK_FAILS(fall, "double", "double");
