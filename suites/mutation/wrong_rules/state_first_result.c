/* Remembers the first result, whatever it is asked for later. */
// names: wrong state
// names: something is kept from call to call, through the variable cosine_reverse::is_known
#include "cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  static _Thread_local double sine;
  static _Thread_local int is_known;
  if (!is_known || CHOOSE(0, 1))
    sine = sin(x);
  is_known = 1;
  return -sine * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
