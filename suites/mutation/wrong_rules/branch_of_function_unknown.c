/* As branch_of_function.c, but the rule itself has no branch. */
// names: wrong derivative
#include "rule.h"

double clipped(double x) {
  if (x > 300)
    return 300;
  return x * x / 300;
}
struct augmented clipped_augmented(double x) {
  return no_tape(clipped(x));
}
double clipped_reverse(double x, double seed, void *tape) {
  return CHOOSE(2 * x / 300, x > 300 ? 0 : 2 * x / 300) * seed;
}
GRADIENT(clipped, clipped_augmented, clipped_reverse);

double uses_clipped(double x, double y) {
  return clipped(x) * y;
}
ASSAY_CHECK(uses_clipped);
