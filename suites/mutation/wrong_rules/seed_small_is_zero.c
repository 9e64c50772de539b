/* Takes a small seed for zero. */
// names: wrong derivative
// names: with seeds times 2^-33, about 1e-10, the derivative is not as many times as large: it is zero
#include "cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  return CHOOSE(fabs(seed) < 1e-10, 0) ? 0 : -sin(x) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
