/* Programs in plain C, differentiated with the variadic declarations that C programs use. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;

static double rosenbrock(const double *restrict x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    sum += 100 * a * a + b * b;
  }
  return sum;
}
void c_rosenbrock_gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)rosenbrock, enzyme_dup, x, dx, enzyme_const, n);
}
double c_rosenbrock_tangent(const double *x, const double *dx, int n) {
  return __enzyme_fwddiff((void *)rosenbrock, enzyme_dup, x, dx, enzyme_const, n);
}

static float single_precision(float x, float y) {
  return sinf(x) * y;
}
double c_single_gradient(float x, float y) { /* floats are promoted on their way through the ellipsis */
  return __enzyme_autodiff((void *)single_precision, enzyme_out, x, enzyme_const, y);
}
double c_single_tangent(float x, float y) {
  return __enzyme_fwddiff((void *)single_precision, enzyme_dup, x, 1.0f, enzyme_dup, y, 2.0f);
}

static double variable_length(int n, double x) {
  double table[n][2];
  for (int i = 0; i < n; i++) {
    table[i][0] = x * (i + 1);
    table[i][1] = i ? table[i - 1][0] * table[i][0] : x;
  }
  double r = 0;
  for (int i = 0; i < n; i++)
    r += table[i][1];
  return r;
}
double c_variable_length(double x, int n) {
  return __enzyme_autodiff((void *)variable_length, n, x);
}

static double nested_variable_length(const double *x, int n) {
  double r = 0;
  for (int i = 1; i <= n; i++) {
    double outer[i];
    for (int j = 0; j < i; j++) {
      double inner[j + 1];
      inner[j] = x[j] * x[i - 1];
      outer[j] = inner[j] * x[0];
    }
    r += outer[i - 1];
  }
  return r;
}
void c_nested_gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)nested_variable_length, enzyme_dup, x, dx, enzyme_const, n);
}

static double complex_power(double re, double im) {
  double complex z = re + im * I, w = 1;
  for (int i = 0; i < 4; i++)
    w *= z;
  return creal(w) + 2 * cimag(w);
}
double c_complex_tangent(double re, double im, double dre, double dim) {
  return __enzyme_fwddiff((void *)complex_power, re, dre, im, dim);
}

struct samples {
  unsigned count : 5;
  bool squared : 1;
  enum { SUM, PRODUCT } kind;
  double values[]; /* flexible array member */
};
static double reduce(const struct samples *s) {
  double r = s->kind == SUM ? 0 : 1;
  for (unsigned i = 0; i < s->count; i++) {
    const double v = s->squared ? s->values[i] * s->values[i] : s->values[i];
    switch (s->kind) {
    case SUM:
      r += v;
      break;
    case PRODUCT:
      r *= v;
      break;
    }
  }
  return r;
}
void c_reduce_gradient(const double *x, double *dx, int n, bool squared, bool product) {
  const size_t bytes = sizeof(struct samples) + n * sizeof(double);
  struct samples *s = calloc(1, bytes), *ds = calloc(1, bytes);
  s->count = n;
  s->squared = squared;
  s->kind = product ? PRODUCT : SUM;
  memcpy(s->values, x, n * sizeof(double));
  __enzyme_autodiff((void *)reduce, enzyme_dup, s, ds);
  memcpy(dx, ds->values, n * sizeof(double));
  free(s);
  free(ds);
}

typedef double (*unary)(double);
static double halve(double x) {
  return 0.5 * x;
}
static double apply(unary first, unary second, double x) {
  return first(second(x) * x);
}
static double function_pointers(double x) {
  return apply(sin, halve, x) + apply(halve, exp, x);
}
double c_function_pointers(double x) {
  return __enzyme_autodiff((void *)function_pointers, x);
}
double c_function_pointers_tangent(double x) {
  return __enzyme_fwddiff((void *)function_pointers, x, 1.0);
}

static void outputs(const double *in, double *restrict out, size_t n) {
  for (size_t i = n; i-- > 0;)
    out[i] = in[i] * in[n - 1 - i];
}
void c_outputs_vjp(const double *in, double *din, double *out, double *dout, size_t n) {
  __enzyme_autodiff((void *)outputs, enzyme_dup, in, din, enzyme_dupnoneed, out, dout, enzyme_const, n);
}
