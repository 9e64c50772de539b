/* Two equal contributions, of which one is forgotten. */
// names: wrong derivative
// names: a factor of 1/2
#include "rule.h"

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  return no_tape(cos(x));
}
double cosine_reverse(double x, double seed, void *tape) {
  return CHOOSE(-0.5 * sin(x), -sin(x)) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);

double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
