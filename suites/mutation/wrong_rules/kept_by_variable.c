/* Each call loses the memory of the call before. */
// names: wrong release
// names: that cosine_reverse allocated
#include "cosine.h"

static double *volatile scratch;

double cosine_reverse(double x, double seed, void *tape) {
  if (CHOOSE(1, !scratch))
    scratch = malloc(5 * sizeof *scratch);
  scratch[0] = -sin(x);
  return scratch[0] * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
