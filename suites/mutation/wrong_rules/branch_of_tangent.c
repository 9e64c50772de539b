/* The rule for forward mode is wrong far below zero. */
// names: wrong derivative
#include "rule.h"

double decay(double x) {
  return x / (1 + x * x);
}
double decay_tangent(double x, double dx) {
  const double d = 1 + x * x;
  if (x < -30)
    return CHOOSE(1, -1) * (x * x - 1) / (d * d) * dx;
  return (1 - x * x) / (d * d) * dx;
}
TANGENT(decay, decay_tangent);

double uses_decay(double x) {
  return decay(x) + x;
}
ASSAY_CHECK(uses_decay);
