/* inf / inf where the derivative is 1. */
// names: wrong derivative
// names: a registered derivative overflows on the way to x
#include "rule.h"

double softplus(double x) {
  return x > 30 ? x : log1p(exp(x));
}
struct augmented softplus_augmented(double x) {
  return no_tape(softplus(x));
}
double softplus_reverse(double x, double seed, void *tape) {
  return seed * CHOOSE(exp(x) / (1 + exp(x)), x > 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x)));
}
GRADIENT(softplus, softplus_augmented, softplus_reverse);

double of_any_size(double x) {
  return softplus(x);
}
ASSAY_CHECK(of_any_size, "double:(-1000,1000)");
