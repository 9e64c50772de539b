/* Keeps the seed below a limit. */
// names: wrong derivative
// names: with seeds times 2^100, about 1e30, the derivative is not as many times as large
#include "cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  return -sin(x) * CHOOSE(fmax(fmin(seed, 1e6), -1e6), seed);
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
