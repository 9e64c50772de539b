/* Functions whose pointers may be the same memory, and one whose rule is not made for that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sines(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * sin(x[i]);
}

void product(const double *x, const double *y, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * y[i] + z[i];
}

/* Leaves equal numbers, and numbers on a line, as they are. */
double smooth(double *x, int n) {
  double sum = 0;
  for (int i = 1; i + 1 < n; ++i)
    x[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}

/* At 1/4 and 1/2 - 1/4 it is the same. */
void parabola(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * (0.5 - x[i]);
}

double roots(const double *x, const double *y, int n, int m) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * sqrt(y[i]);
  return sum + y[m - 1];
}

void apart(const double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * sin(x[i]);
}

/* The rule clears the adjoint of the output behind the sum, which may be the same number. */
void wrong_in_place(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * sin(x[i]);
}
static void *slopes_of(const double *x, const double *dx, double *y, const double *dy, int n) {
  double *slopes = malloc((size_t)(n + 1) * sizeof *slopes);
  for (int i = 0; i < n; ++i) {
    slopes[i] = 2 * cos(x[i]);
    y[i] = 2 * sin(x[i]);
  }
  return slopes;
}
static void adjoint_too_late(const double *x, double *dx, double *y, double *dy, int n, double *slopes) {
  for (int i = 0; i < n; ++i)
    dx[i] += slopes[i] * dy[i];
  memset(dy, 0, (size_t)n * sizeof *dy);
  free(slopes);
}
void *__enzyme_register_gradient_wrong_in_place[] = {(void *)wrong_in_place, (void *)slopes_of,
                                                     (void *)adjoint_too_late};

void too_far(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * sin(x[i]);
}
static void adjoint_too_far(const double *x, double *dx, double *y, double *dy, int n, double *slopes) {
  for (int i = n - 1; i >= 0; --i) {
    const double adjoint = dy[i];
    dy[i] = 0;
    dx[i] += slopes[i] * adjoint;
  }
  dy[n] = 0;
  free(slopes);
}
void *__enzyme_register_gradient_too_far[] = {(void *)too_far, (void *)slopes_of, (void *)adjoint_too_far};
