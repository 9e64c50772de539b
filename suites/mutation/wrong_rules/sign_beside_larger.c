/* The sign of a derivative that is far below that by another argument, and below what rounding may leave of it. */
// names: wrong derivative
// names: the sign is wrong
#include "rule.h"

double mixture(double x, double y) {
  return x + 1e-200 * y * y;
}
struct augmented mixture_augmented(double x, double y) {
  return no_tape(mixture(x, y));
}
struct pair mixture_reverse(double x, double y, double seed, void *tape) {
  struct pair gradient = {seed, CHOOSE(-2e-200, 2e-200) * y * seed};
  return gradient;
}
GRADIENT(mixture, mixture_augmented, mixture_reverse);
double uses_mixture(double x, double y) {
  return mixture(x, y);
}
ASSAY_CHECK(uses_mixture);
