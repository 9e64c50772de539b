/* At a tie the rule gives something that is on no side at all. */
// names: wrong derivative
#include "rule.h"

double smaller(double x, double y) {
  return x < y ? x : y;
}
struct augmented smaller_augmented(double x, double y) {
  return no_tape(smaller(x, y));
}
struct pair smaller_reverse(double x, double y, double seed, void *tape) {
  struct pair adjoint = {x < y ? seed : 0, x < y ? 0 : seed};
  if (x == y)
    adjoint.x = CHOOSE(seed, 0);
  return adjoint;
}
GRADIENT(smaller, smaller_augmented, smaller_reverse);

double uses_smaller(double x, double y) {
  return smaller(x, y);
}
ASSAY_CHECK(uses_smaller);
