/* Every hundredth call is another one. */
// names: wrong state
// names: call 100 with the same numbers
// names: through the variable cosine_reverse::calls
#include "cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  static int calls;
  return -sin(x) * seed * (++calls % 100 == 0 ? CHOOSE(1.001, 1) : 1);
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
