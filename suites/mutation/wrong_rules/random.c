/* Equal calls give other bits. */
// names: nondeterministic
// names: different bits the second time
#include "rule.h"

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  return no_tape(cos(x));
}
double cosine_reverse(double x, double seed, void *tape) {
  return -sin(x) * seed * (1 + CHOOSE(1e-13 * (rand() % 64), 0));
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);

double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
