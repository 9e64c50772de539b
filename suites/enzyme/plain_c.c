/* What only Enzyme's convention has, in plain C. */
#include <math.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width, enzyme_interleave;
double __enzyme_autodiff(void *, ...);
int __enzyme_iter(int, int);

struct slice {
  double *data;
  long size;
};
struct four {
  double a, b, c, d;
};
struct four __enzyme_batch(void *, ...);

static double dot(const double *x, double factor, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return factor * sum;
}
double c_interleaved(const double *x, double *dx, const double *y, double *dy, double factor, int n) {
  return __enzyme_autodiff((void *)dot, enzyme_dup, x, enzyme_out, factor, enzyme_dup, y, enzyme_const, n,
                           enzyme_interleave, dx, dy);
}

static double sum_of_squares(struct slice slice) {
  double sum = 0;
  for (long i = 0; i < slice.size; i++)
    sum += slice.data[i] * slice.data[i];
  return sum;
}
void c_interleaved_struct(double *x, double *dx, long n) {
  const struct slice primal = {x, n}, shadow = {dx, n};
  __enzyme_autodiff((void *)sum_of_squares, enzyme_dup, primal, enzyme_interleave, shadow);
}

static double inverse(const double *x) {
  return 1 / *x;
}
double c_batch(const double *x) {
  const struct four r = __enzyme_batch((void *)inverse, enzyme_width, 4, x, x + 1, x + 2, x + 3);
  return r.a + 10 * r.b + 100 * r.c + 1000 * r.d;
}

static double series(double x) {
  double sum = 0, term = 1;
  for (int k = 0, terms = __enzyme_iter(5, 1); k < terms; k++) {
    sum += term;
    term *= x / (k + 1);
  }
  return sum;
}
double c_series(double x) {
  return series(x);
}
double c_series_slope(double x) {
  return __enzyme_autodiff((void *)series, x);
}

static double root(double x) {
  return sqrt(x);
}
static void augmented_root(double x) {
  (void)x;
}
static double reverse_root(double x, double seed) {
  return 5 * seed / sqrt(x);
}
void *__enzyme_register_gradient_root[] = {(void *)root, (void *)augmented_root, (void *)reverse_root};
static double through_root(double x) {
  const double y = root(x);
  return y * y * y;
}
double c_rule_without_tape(double x) {
  return __enzyme_autodiff((void *)through_root, x);
}
