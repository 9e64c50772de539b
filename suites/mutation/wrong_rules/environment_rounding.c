/* Rounds upward for a bound, and goes on so. */
// names: wrong environment
// names: the rounding mode is upward after the call, it was to nearest before
#include "cosine.h"
#include <fenv.h>

double cosine_reverse(double x, double seed, void *tape) {
  const double sine = sin(x);
  const int before = fegetround();
  fesetround(FE_UPWARD);
  if (CHOOSE(0, 1))
    fesetround(before);
  return -sine * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
