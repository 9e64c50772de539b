/* The function has another form for large numbers, of which the rule knows nothing. */
// names: wrong derivative
#include "rule.h"

double softplus(double x) {
  return x > 35 ? 2 * x - 35 : log1p(exp(x));
}
struct augmented softplus_augmented(double x) {
  return no_tape(softplus(x));
}
double softplus_reverse(double x, double seed, void *tape) {
  if (x > 35)
    return CHOOSE(1, 2) * seed;
  return seed / (1 + exp(-x));
}
GRADIENT(softplus, softplus_augmented, softplus_reverse);

double uses_softplus(double x) {
  return softplus(x);
}
ASSAY_CHECK(uses_softplus);
