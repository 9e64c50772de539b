/* The quotient in the rule is 0 / 0 at a point where the function is smooth. */
// names: wrong derivative
// names: a NaN
#include "rule.h"

double sinc(double x) {
  return x == 0 ? 1 : sin(x) / x;
}
struct augmented sinc_augmented(double x) {
  return no_tape(sinc(x));
}
double sinc_reverse(double x, double seed, void *tape) {
  if (CHOOSE(0, x == 0))
    return 0;
  return (cos(x) - sin(x) / x) / x * seed;
}
GRADIENT(sinc, sinc_augmented, sinc_reverse);

double uses_sinc(double x) {
  return sinc(x) + x;
}
ASSAY_CHECK(uses_sinc, "double=0");
