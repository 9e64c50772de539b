/* Takes its second argument for a constant: wrong only where that is active. */
// names: wrong derivative
// names: Active b
// names: taken for constant
#include "rule.h"

double power(double a, double b) {
  return pow(a, b);
}
struct augmented power_augmented(double a, double b) {
  return no_tape(pow(a, b));
}
struct pair power_reverse(double a, double b, double seed, void *tape) {
  struct pair gradient = {b * pow(a, b - 1) * seed, CHOOSE(0, log(a) * pow(a, b) * seed)};
  return gradient;
}
GRADIENT(power, power_augmented, power_reverse);
ASSAY_CHECK(power, "double:(0.5,2)", "double:(0.5,2)");
