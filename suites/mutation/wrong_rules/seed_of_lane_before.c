/* After a seed of zero it skips the next one, which is that of the next lane. */
// names: wrong derivative
// names: a seed of zero in lane 0 changes another lane
#include "cosine.h"

static _Thread_local int is_last_zero;

double cosine_reverse(double x, double seed, void *tape) {
  const int skips = CHOOSE(is_last_zero, 0);
  is_last_zero = seed == 0;
  return skips ? 0 : -sin(x) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
