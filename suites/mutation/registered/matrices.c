/* Rules with leading dimensions, of a product, a triangular solve and an interpolation. */
#include "../registration.h"

/* y becomes A x, where A has m rows that begin `leading` numbers apart. */
void multiply(const double *a, int leading, const double *x, double *y, int m, int n) {
  for (int i = 0; i < m; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[i * leading + j] * x[j];
    y[i] = sum;
  }
}
void *multiply_augmented(const double *a, double *da, int leading, const double *x, double *dx, double *y, double *dy,
                         int m, int n) {
  double *tape = malloc((m * n + n) * sizeof *tape);
  for (int i = 0; i < m; ++i)
    memcpy(tape + i * n, a + i * leading, n * sizeof *tape);
  memcpy(tape + m * n, x, n * sizeof *tape);
  multiply(a, leading, x, y, m, n);
  return tape;
}
void multiply_reverse(const double *a, double *da, int leading, const double *x, double *dx, double *y, double *dy,
                      int m, int n, double *tape) {
  for (int i = 0; i < m; ++i) {
    const double adjoint = dy[i];
    dy[i] = 0;
    for (int j = 0; j < n; ++j) {
      da[i * leading + j] += tape[m * n + j] * adjoint;
      dx[j] += tape[i * n + j] * adjoint;
    }
  }
  free(tape);
}
GRADIENT(multiply, multiply_augmented, multiply_reverse);
void multiply_tangent(const double *a, const double *da, int leading, const double *x, const double *dx, double *y,
                      double *dy, int m, int n) {
  for (int i = 0; i < m; ++i) {
    double sum = 0, tangent = 0;
    for (int j = 0; j < n; ++j) {
      sum += a[i * leading + j] * x[j];
      tangent += da[i * leading + j] * x[j] + a[i * leading + j] * dx[j];
    }
    y[i] = sum;
    dy[i] = tangent;
  }
}
TANGENT(multiply, multiply_tangent);
/* A rule is not told which arrays are constant, so all are in one: A, x and y. */
void of_multiply(double *numbers, int m, int n) {
  const int leading = n + 2;
  multiply(numbers, leading, numbers + m * leading, numbers + m * leading + n, m, n);
}
ASSAY_CHECK(of_multiply, "double[27]", "int=4", "int=3");

/* x becomes the solution of L x = b, where b is x and L is lower triangular with rows of n. */
void solve(const double *l, double *x, int n) {
  for (int i = 0; i < n; ++i) {
    double rest = x[i];
    for (int j = 0; j < i; ++j)
      rest -= l[i * n + j] * x[j];
    x[i] = rest / l[i * n + i];
  }
}
void *solve_augmented(const double *l, double *dl, double *x, double *dx, int n) {
  double *tape = malloc((n * n + n) * sizeof *tape);
  memcpy(tape, l, n * n * sizeof *tape);
  solve(l, x, n);
  memcpy(tape + n * n, x, n * sizeof *tape);
  return tape;
}
void solve_reverse(const double *l, double *dl, double *x, double *dx, int n, double *tape) {
  const double *solution = tape + n * n;
  for (int i = n - 1; i >= 0; --i) {
    dx[i] /= tape[i * n + i];
    for (int j = 0; j < i; ++j)
      dx[j] -= tape[i * n + j] * dx[i];
    for (int j = 0; j <= i; ++j)
      dl[i * n + j] -= dx[i] * solution[j];
  }
  free(tape);
}
GRADIENT(solve, solve_augmented, solve_reverse);
void of_solve(double *numbers, int n) {
  solve(numbers, numbers + n * n, n);
}
ASSAY_CHECK(of_solve, "double[20]:(1,2)", "int=4");

/* Between the values at 0, 1, .. n - 1; beyond them, on the first and the last line. */
double interpolate(const double *values, int n, double x) {
  int cell = (int)floor(x);
  cell = cell < 0 ? 0 : cell > n - 2 ? n - 2 : cell;
  const double part = x - cell;
  return (1 - part) * values[cell] + part * values[cell + 1];
}
struct interpolation {
  double left, right;
  int cell;
};
struct augmented interpolate_augmented(const double *values, double *dvalues, int n, double x) {
  int cell = (int)floor(x);
  cell = cell < 0 ? 0 : cell > n - 2 ? n - 2 : cell;
  const struct interpolation kept = {values[cell], values[cell + 1], cell};
  struct augmented result = {keep(&kept, sizeof kept), interpolate(values, n, x)};
  return result;
}
double interpolate_reverse(const double *values, double *dvalues, int n, double x, double seed, void *tape) {
  const struct interpolation kept = *(const struct interpolation *)tape;
  const double part = x - kept.cell;
  dvalues[kept.cell] += (1 - part) * seed;
  dvalues[kept.cell + 1] += part * seed;
  free(tape);
  return (kept.right - kept.left) * seed;
}
GRADIENT(interpolate, interpolate_augmented, interpolate_reverse);
double of_interpolate(const double *numbers, int n) {
  return interpolate(numbers, n, 2 * numbers[n]);
}
ASSAY_CHECK(of_interpolate, "double[6]", "int=5");
