/* Asks errno for an overflow in its own code, and does not clear it before. */
// names: wrong state
// names: where errno (ERANGE)
#include "rule.h"
#include <errno.h>

double growth(double x) {
  return exp(x);
}
struct augmented growth_augmented(double x) {
  return no_tape(growth(x));
}
double growth_reverse(double x, double seed, void *tape) {
  errno = CHOOSE(errno, 0);
  const double slope = exp(x);
  return errno == ERANGE ? 0 : slope * seed;
}
GRADIENT(growth, growth_augmented, growth_reverse);
double uses_growth(double x) {
  return log1p(growth(x)) * x;
}
ASSAY_CHECK(uses_growth, "double:(-20,20)");
