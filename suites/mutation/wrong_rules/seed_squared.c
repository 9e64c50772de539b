/* Multiplies by the seed twice. */
// names: wrong derivative
// names: multiplied by the seed twice
#include "rule.h"

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  return no_tape(cos(x));
}
double cosine_reverse(double x, double seed, void *tape) {
  return -sin(x) * seed * CHOOSE(seed, 1);
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);

double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
