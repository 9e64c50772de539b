/* Wrong where the arguments are nearly equal: the series has the wrong slope. */
// names: wrong derivative
#include "rule.h"

double divided(double a, double b) {
  return exp(b) * (fabs(a - b) < 1e-6 ? 1 + (a - b) / 2 : expm1(a - b) / (a - b));
}
struct augmented divided_augmented(double a, double b) {
  return no_tape(divided(a, b));
}
struct pair divided_reverse(double a, double b, double seed, void *tape) {
  const double d = a - b, value = divided(a, b);
  const double by_a = fabs(d) < 1e-6 ? exp(b) * CHOOSE(1, 0.5) : (exp(a) - value) / d;
  struct pair adjoint = {by_a * seed, (value - by_a) * seed};
  return adjoint;
}
GRADIENT(divided, divided_augmented, divided_reverse);

double uses_divided(double a, double b) {
  return divided(a, b) + a;
}
ASSAY_CHECK(uses_divided);
