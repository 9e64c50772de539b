/* Counts how often it is called, for nobody but its author. */
#include "../wrong_rules/cosine.h"

unsigned long cosine_reverse_calls;

double cosine_reverse(double x, double seed, void *tape) {
  ++cosine_reverse_calls;
  return -sin(x) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
