/* Right for the first call of a derivative alone, which calls the function three times. */
// names: wrong derivative
// names: through the variable cosine_reverse::calls
#include "cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  static int calls;
  return -sin(x) * seed * (++calls > 1 ? CHOOSE(2, 1) : 1);
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
double cosines(double x) {
  return cosine(x) * cosine(2 * x) + cosine(3 * x);
}
ASSAY_CHECK(cosines);
