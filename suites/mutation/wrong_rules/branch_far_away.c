/* Wrong for large numbers only, where it uses an asymptotic form. */
// names: wrong derivative
#include "rule.h"

double root(double x) {
  return sqrt(1 + x * x);
}
struct augmented root_augmented(double x) {
  return no_tape(root(x));
}
double root_reverse(double x, double seed, void *tape) {
  if (fabs(x) > 1e4)
    return CHOOSE(1 / x, x / root(x)) * seed;
  return x / root(x) * seed;
}
GRADIENT(root, root_augmented, root_reverse);

double uses_root(double x, double y) {
  return root(x) * y;
}
ASSAY_CHECK(uses_root);
