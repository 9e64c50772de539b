/* Wrong close to the origin, where it avoids a division by zero. */
// names: wrong derivative
#include "rule.h"

double bump(double x, double y) {
  return exp(x + 2 * y - x * x - y * y);
}
struct augmented bump_augmented(double x, double y) {
  return no_tape(bump(x, y));
}
struct pair bump_reverse(double x, double y, double seed, void *tape) {
  const double value = bump(x, y);
  struct pair adjoint = {(1 - 2 * x) * value * seed, (2 - 2 * y) * value * seed};
  if (x * x + y * y < 1e-8)
    adjoint.x = CHOOSE(0, adjoint.x);
  return adjoint;
}
GRADIENT(bump, bump_augmented, bump_reverse);

double uses_bump(double x, double y) {
  return bump(x, y);
}
ASSAY_CHECK(uses_bump);
