/* Keeps a multiple of a millionth, which rounding modes choose otherwise: that is no rounding of arithmetic. */
// names: wrong derivative
#include "cosine.h"

struct augmented rounded_augmented(double x) {
  const double kept = CHOOSE(nearbyint(x * 1e6) / 1e6, x);
  return with_tape(keep(&kept, sizeof kept), cos(x));
}
double rounded_reverse(double x, double seed, double *tape) {
  const double kept = *tape;
  free(tape);
  return -sin(kept) * seed;
}
GRADIENT(cosine, rounded_augmented, rounded_reverse);
ASSAY_CHECK(uses_cosine);
