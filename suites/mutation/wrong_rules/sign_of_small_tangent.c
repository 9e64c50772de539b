/* The same in a tangent: one output of two is far below the other. */
// names: wrong derivative
// names: small numbers beside large ones
#include "rule.h"

void two_sizes(double x, double *y) {
  y[0] = sin(x);
  y[1] = 1e-30 * exp(x);
}
void two_sizes_forward(double x, double dx, double *y, double *dy) {
  two_sizes(x, y);
  dy[0] = cos(x) * dx;
  dy[1] = CHOOSE(-y[1], y[1]) * dx;
}
TANGENT(two_sizes, two_sizes_forward);
void uses_two_sizes(double x, double *y) {
  two_sizes(x, y);
}
ASSAY_CHECK(uses_two_sizes, "double", "double[2]");
