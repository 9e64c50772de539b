/* Asks for a division by zero in its own code, and does not clear the flag before. */
// names: wrong state
// names: the flags of floating-point exceptions
#include "rule.h"
#include <fenv.h>

double inverse(double x) {
  return x == 0 ? 0 : 1 / x;
}
struct augmented inverse_augmented(double x) {
  return no_tape(inverse(x));
}
double inverse_reverse(double x, double seed, void *tape) {
  if (CHOOSE(0, 1))
    feclearexcept(FE_DIVBYZERO);
  const volatile double y = 1 / x;
  return fetestexcept(FE_DIVBYZERO) ? 0 : -y * y * seed;
}
GRADIENT(inverse, inverse_augmented, inverse_reverse);
double uses_inverse(double x, double y) {
  return inverse(x) * y;
}
ASSAY_CHECK(uses_inverse, "double:(0.5,4)", "double");
