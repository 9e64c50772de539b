/* Rosenbrock's banana valley, the function that every optimiser is tried on.
 *
 * Nothing here knows of differentiation: a plain C function is enough. The marks below tell `assay check` what to call
 * it with. */
#include <assay/check.h>

double rosenbrock(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) {
    double valley = x[i + 1] - x[i] * x[i];
    double slope = 1 - x[i];
    sum += 100 * valley * valley + slope * slope;
  }
  return sum;
}
ASSAY_CHECK(rosenbrock, "double[6]:(-2,2)", "int=6");

/* Two scalars by value need no description at all. */
double banana(double x, double y) {
  return 100 * (y - x * x) * (y - x * x) + (1 - x) * (1 - x);
}
ASSAY_CHECK(banana);
