/* The seed is a term, not a factor: there is a derivative without a seed. */
// names: wrong derivative
// names: reverse is the odd one
#include "rule.h"

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  return no_tape(cos(x));
}
double cosine_reverse(double x, double seed, void *tape) {
  return -sin(x) * seed + CHOOSE(x, 0);
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);

double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
