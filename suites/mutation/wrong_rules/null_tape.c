/* Reads a tape that the augmented function hands over for positive arguments alone. */
// names: crash
// names: it read memory through a null pointer
#include "cosine.h"

struct augmented half_augmented(double x) {
  return with_tape(CHOOSE(x > 0, 1) ? keep(&x, sizeof x) : NULL, cos(x));
}
double half_reverse(double x, double seed, volatile double *tape) {
  const double kept = *tape;
  free((void *)tape);
  return -sin(kept) * seed;
}
GRADIENT(cosine, half_augmented, half_reverse);
ASSAY_CHECK(uses_cosine, "double:(-2,-1)");
