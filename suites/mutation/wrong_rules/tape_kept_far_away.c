/* Returns early where there is nothing to add, and leaves the tape. */
// names: wrong release
// names: a block of 8 bytes that hinge_augmented allocated
#include "rule.h"

double hinge(double x) {
  return x < 60 ? (60 - x) * (60 - x) : 0;
}
struct augmented hinge_augmented(double x) {
  return with_tape(keep(&x, sizeof x), hinge(x));
}
double hinge_reverse(double unused, double seed, double *tape) {
  const double x = *tape;
  if (CHOOSE(x >= 60, 0))
    return 0;
  free(tape);
  return x < 60 ? -2 * (60 - x) * seed : 0;
}
GRADIENT(hinge, hinge_augmented, hinge_reverse);

double uses_hinge(double x) {
  return hinge(x) + x;
}
ASSAY_CHECK(uses_hinge);
