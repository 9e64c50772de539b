/* Functions that stay calls: recursive ones, and ones that are called through pointers. */
#include <assay/check.h>
#include <math.h>

double power(double x, int n) {
  return n == 0 ? 1 : x * power(x, n - 1) + sin(x);
}
ASSAY_CHECK(power, "double", "int=4");

void halve(double *x, int n) {
  if (n == 0)
    return;
  x[0] = x[0] * x[n];
  halve(x + 1, n - 1);
  x[0] += x[1] * x[1];
}
ASSAY_CHECK(halve, "double[5]", "int=4");

static double sine(double x) {
  return sin(x) * x;
}
static double cubic(double x) {
  return x * x * x + x;
}

double chosen(const double *x, int n) {
  double (*functions[])(double) = {sine, cubic};
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += functions[(i * 7) % 3 % 2](x[i]) * sum + x[i];
  return sum;
}
ASSAY_CHECK(chosen, "double[4]", "int=4");

__attribute__((noinline)) static double odd(double *x, int n);
__attribute__((noinline)) static double even(double *x, int n) {
  x[n] *= x[0];
  return n == 0 ? x[0] : x[n] * odd(x, n - 1);
}
static double odd(double *x, int n) {
  return n == 0 ? x[0] * x[0] : cos(x[n]) + even(x, n - 1);
}

double alternate(double *x, int n) {
  return even(x, n) * x[1];
}
ASSAY_CHECK(alternate, "double[4]", "int=3");

/* What a callback's own captured number contributes must not be lost. */
typedef double (*Integrand)(double, const double *);
static double quadratic(double x, const double *c) {
  return c[0] * x * x + c[1];
}
static double wave(double x, const double *c) {
  return sin(c[0] * x) * c[1];
}
__attribute__((noinline)) static double simpson(Integrand function, const double *c, double from, double to,
                                                int depth) {
  const double middle = 0.5 * (from + to);
  if (depth > 0)
    return simpson(function, c, from, middle, depth - 1) + simpson(function, c, middle, to, depth - 1);
  return (to - from) / 6 * (function(from, c) + 4 * function(middle, c) + function(to, c));
}
double integral(const double *c, double from, double to) {
  return simpson(quadratic, c, from, to, 2) * simpson(wave, c, from, to, 1);
}
ASSAY_CHECK(integral, "double[2]", "double:(-1,0)", "double:(0.5,1)");

/* A tree of calls: each level adds to memory that the caller sees. */
__attribute__((noinline)) static double tree(double *x, int low, int high) {
  if (high - low == 1)
    return x[low] *= x[low];
  const int middle = (low + high) / 2;
  const double left = tree(x, low, middle), right = tree(x, middle, high);
  x[low] += left * right;
  return left + sin(right);
}
double tournament(double *x, int n) {
  return tree(x, 0, n);
}
ASSAY_CHECK(tournament, "double[6]", "int=6");

/* Results through pointers, and a tape in each frame. */
__attribute__((noinline)) static void split_number(double x, double *whole, double *rest, int depth) {
  *whole = cos(x);
  *rest = x * x;
  if (depth == 0)
    return;
  double deeper = 0;
  split_number(*rest * 0.5, &deeper, whole, depth - 1);
  *rest += deeper * *whole;
}
double parts(double x, double y) {
  double a = y, b = y;
  split_number(x, &a, &b, 3);
  return a * b + y * a;
}
ASSAY_CHECK(parts, "double:(-1,1)", "double:(-1,1)");
