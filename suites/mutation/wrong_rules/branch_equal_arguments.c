/* Wrong where both arguments are equal, for which it has a case of its own. */
// names: wrong derivative
#include "rule.h"

double quotient(double a, double b) {
  return a / (1 + b * b);
}
struct augmented quotient_augmented(double a, double b) {
  return no_tape(quotient(a, b));
}
struct pair quotient_reverse(double a, double b, double seed, void *tape) {
  const double d = 1 + b * b;
  struct pair adjoint = {seed / d, -2 * a * b / (d * d) * seed};
  if (a == b)
    adjoint.y = CHOOSE(2, -2) * a * a / (d * d) * seed;
  return adjoint;
}
GRADIENT(quotient, quotient_augmented, quotient_reverse);

double uses_quotient(double a, double b) {
  return quotient(3 * a, b + 1.25);
}
ASSAY_CHECK(uses_quotient);
