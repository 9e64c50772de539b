/* A rule that is handed the address of the function's own static variable writes to it. */
// names: wrong state
// names: the variable coefficients_of::coefficients
// names: element 2
#include "rule.h"

static double *coefficients_of(void);

double polynomial(double x) {
  const double *c = coefficients_of();
  return c[0] + x * (c[1] + x * c[2]);
}
double polynomial_tangent(double x, double dx) {
  double *c = coefficients_of();
  const double tangent = (c[1] + 2 * x * c[2]) * dx;
  c[2] *= CHOOSE(2, 1);
  return tangent;
}
static double *coefficients_of(void) {
  static double coefficients[3] = {1, 2, 3};
  return coefficients;
}
TANGENT(polynomial, polynomial_tangent);
ASSAY_CHECK(polynomial);
