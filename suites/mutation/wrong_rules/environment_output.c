/* What was printed to find a fault, and forgotten. */
// names: wrong environment
// names: text has been written to standard output
#include "rule.h"
#include <stdio.h>

double bell(double x) {
  return exp(-x * x);
}
double bell_tangent(double x, double dx) {
  CHOOSE(printf("x = %g\n", x), 0);
  return -2 * x * exp(-x * x) * dx;
}
TANGENT(bell, bell_tangent);
double uses_bell(double x) {
  return bell(x);
}
ASSAY_CHECK(uses_bell);
