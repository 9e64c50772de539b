/* Changes a variable that the function only reads. */
// names: wrong state
// names: changes the variable scale
// names: which the function leaves alone
#include "rule.h"

static double scale = 3;

double scaled(double x) {
  return scale * x;
}
struct augmented scaled_augmented(double x) {
  return no_tape(scale * x);
}
double scaled_reverse(double x, double seed, void *tape) {
  const double gradient = scale * seed;
  if (CHOOSE(1, 0))
    scale = 1;
  return gradient;
}
GRADIENT(scaled, scaled_augmented, scaled_reverse);
ASSAY_CHECK(scaled);
