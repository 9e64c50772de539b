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
