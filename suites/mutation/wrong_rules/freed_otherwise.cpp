/* What new gave goes to free. */
// names: wrong release
// names: a block of 8 bytes that cosine_augmented allocated with new is released with free
#include "rule.h"

extern "C" {
double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  return with_tape(new double(x), cos(x));
}
double cosine_reverse(double x, double seed, double *tape) {
  const double kept = *tape;
  if (CHOOSE(1, 0))
    free(tape);
  else
    delete tape;
  return -sin(kept) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
double uses_cosine(double x) {
  return cosine(x);
}
}
ASSAY_CHECK(uses_cosine);
