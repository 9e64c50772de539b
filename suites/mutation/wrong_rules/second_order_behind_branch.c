/* Beyond 3 the slope is computed from a copy that carries no derivative: only second derivatives there are wrong. */
// names: wrong derivative
// names: second derivative, forward over reverse
#include "rule.h"

double logistic(double x) {
  return 1 / (1 + exp(-x));
}
struct augmented logistic_augmented(double x) {
  return no_tape(logistic(x));
}
static double without_derivative(double x) {
  const long integer = (long)(x * 0x1p60);
  return (double)integer * 0x1p-60;
}
double logistic_reverse(double x, double seed, void *tape) {
  double p = logistic(x);
  if (x > 3)
    p = CHOOSE(without_derivative(p), p);
  return p * (1 - p) * seed;
}
GRADIENT(logistic, logistic_augmented, logistic_reverse);
double uses_logistic(double x, double y) {
  return logistic(x) * y;
}
ASSAY_CHECK(uses_logistic, "double:(-6,6)", "double");
