/* Loops whose adjoints need what each iteration computed: kept in pieces, in records, in arrays on the stack. */
#include <assay/check.h>
#include <math.h>

double horner(const double *c, double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * x + c[i];
  return sum;
}
ASSAY_CHECK(horner, "double[6]", "double", "int=6");

double logistic(double x, double r, int n) {
  for (int i = 0; i < n; ++i)
    x = r * x * (1 - x);
  return x;
}
ASSAY_CHECK(logistic, "double:(0.2,0.8)", "double:(1,3)", "int=7");

double until_large(double x, double factor, int most) {
  double sum = 0;
  for (int i = 0; i < most; ++i) {
    sum += sin(x) * sum + x;
    x *= factor;
    if (sum > 20)
      break;
  }
  return sum;
}
ASSAY_CHECK(until_large, "double:(1,2)", "double:(1.2,1.6)", "int=30");

double nested(const double *x, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) {
    double product = 1;
    for (int j = 0; j <= i; ++j)
      product = sin(product * x[j]) + x[i];
    total += product * product;
  }
  return total;
}
ASSAY_CHECK(nested, "double[5]", "int=5");

double newton(double x, double a) {
  while (fabs(x * x - a) > 1e-3)
    x = 0.5 * (x + a / x);
  return x * x * x;
}
ASSAY_CHECK(newton, "double:(3,4)", "double:(1,2)");
