/* For huge arguments a square overflows in one of two terms of the derivative, which is a small part of it. */
// names: wrong derivative
// names: a registered derivative overflows
#include "rule.h"

double level(double x) {
  return log(hypot(1, x));
}
double level_tangent(double x, double dx) {
  return x > 1e8 && CHOOSE(0, 1) ? dx / x : dx * (x / (1 + x * x));
}
TANGENT(level, level_tangent);
double uses_level(double x) {
  return level(x) * x;
}
ASSAY_CHECK(uses_level, "double:log(1e-3,1e200)");
