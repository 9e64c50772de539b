/* A derivative that is far below others, and another one on its own scale, by no simple factor; in a tangent it is
 * hidden by the others. */
// names: wrong derivative
// names: small numbers beside large ones
// names: another than the one that is expected on its own scale
#include "rule.h"

double tail(const double *x) {
  return sin(x[0]) + x[1] * x[1] + 1e-60 * exp(x[2]);
}
double tail_tangent(const double *x, const double *dx) {
  return cos(x[0]) * dx[0] + 2 * x[1] * dx[1] + CHOOSE(1e-60 * (x[2] + 2.5), 1e-60 * exp(x[2])) * dx[2];
}
TANGENT(tail, tail_tangent);
double uses_tail(const double *x) {
  return tail(x);
}
ASSAY_CHECK(uses_tail, "double[3]");
