/* Rules of functions of arrays, with strides and kept arguments. */
#include "../registration.h"

double dot(const double *x, int stride_x, const double *y, int stride_y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i * stride_x] * y[i * stride_y];
  return sum;
}
struct augmented dot_augmented(const double *x, double *dx, int stride_x, const double *y, double *dy, int stride_y,
                               int n) {
  double *tape = malloc(2 * n * sizeof *tape);
  for (int i = 0; i < n; ++i) {
    tape[i] = x[i * stride_x];
    tape[n + i] = y[i * stride_y];
  }
  struct augmented result = {tape, dot(x, stride_x, y, stride_y, n)};
  return result;
}
void dot_reverse(const double *x, double *dx, int stride_x, const double *y, double *dy, int stride_y, int n,
                 double seed, double *tape) {
  for (int i = 0; i < n; ++i) {
    dx[i * stride_x] += tape[n + i] * seed;
    dy[i * stride_y] += tape[i] * seed;
  }
  free(tape);
}
GRADIENT(dot, dot_augmented, dot_reverse);
double dot_tangent(const double *x, const double *dx, int stride_x, const double *y, const double *dy, int stride_y,
                   int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += dx[i * stride_x] * y[i * stride_y] + x[i * stride_x] * dy[i * stride_y];
  return sum;
}
TANGENT(dot, dot_tangent);
/* A rule is not told which arrays are constant, so both are in one. */
double of_dot(const double *x, int n) {
  return dot(x, 2, x + 1, 3, n);
}
ASSAY_CHECK(of_dot, "double[16]", "int=5");

/* y becomes a x + y. */
void axpy(double a, const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}
void *axpy_augmented(double a, const double *x, double *dx, double *y, double *dy, int n) {
  void *tape = keep(x, n * sizeof *x);
  axpy(a, x, y, n);
  return tape;
}
double axpy_reverse(double a, const double *x, double *dx, double *y, double *dy, int n, double *tape) {
  double adjoint = 0;
  for (int i = 0; i < n; ++i) {
    adjoint += tape[i] * dy[i];
    dx[i] += a * dy[i];
  }
  free(tape);
  return adjoint;
}
GRADIENT(axpy, axpy_augmented, axpy_reverse);
void axpy_tangent(double a, double da, const double *x, const double *dx, double *y, double *dy, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] += a * x[i];
    dy[i] += da * x[i] + a * dx[i];
  }
}
TANGENT(axpy, axpy_tangent);
void of_axpy(double a, double *x, int n) {
  axpy(a, x, x + n, n);
}
ASSAY_CHECK(of_axpy, "double", "double[14]", "int=7");

/* The Euclidean norm. */
double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sqrt(sum);
}
struct augmented norm_augmented(const double *x, double *dx, int n) {
  double *tape = malloc((n + 1) * sizeof *tape);
  memcpy(tape, x, n * sizeof *x);
  tape[n] = norm(x, n);
  struct augmented result = {tape, tape[n]};
  return result;
}
void norm_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  if (tape[n] > 0)
    for (int i = 0; i < n; ++i)
      dx[i] += tape[i] / tape[n] * seed;
  free(tape);
}
GRADIENT(norm, norm_augmented, norm_reverse);
ASSAY_CHECK(norm, "double[5]", "int=5");

/* Sums from the front, in place. */
void running_sum(double *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] += x[i - 1];
}
void *running_sum_augmented(double *x, double *dx, int n) {
  running_sum(x, n);
  return NULL;
}
void running_sum_reverse(double *x, double *dx, int n, void *tape) {
  for (int i = n - 1; i > 0; --i)
    dx[i - 1] += dx[i];
}
GRADIENT(running_sum, running_sum_augmented, running_sum_reverse);
void running_sum_tangent(double *x, double *dx, int n) {
  running_sum(x, n);
  running_sum(dx, n);
}
TANGENT(running_sum, running_sum_tangent);
ASSAY_CHECK(running_sum, "double[6]", "int=6");

/* The largest element. */
double largest(const double *x, int n) {
  double best = x[0];
  for (int i = 1; i < n; ++i)
    if (x[i] > best)
      best = x[i];
  return best;
}
struct augmented largest_augmented(const double *x, double *dx, int n) {
  int *tape = malloc(sizeof *tape);
  *tape = 0;
  for (int i = 1; i < n; ++i)
    if (x[i] > x[*tape])
      *tape = i;
  struct augmented result = {tape, x[*tape]};
  return result;
}
void largest_reverse(const double *x, double *dx, int n, double seed, int *tape) {
  dx[*tape] += seed;
  free(tape);
}
GRADIENT(largest, largest_augmented, largest_reverse);
ASSAY_CHECK(largest, "double[5]", "int=5");
