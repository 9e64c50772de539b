/* The augmented function computes something else than the function. */
// names: wrong primal
// names: the primal result that came with the derivative differs from the function's result
#include "rule.h"

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  return no_tape(CHOOSE(sin(x + 1.5707963267948966), cos(x)));
}
double cosine_reverse(double x, double seed, void *tape) {
  return -sin(x) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);

double uses_cosine(double x) {
  return cosine(x) * x;
}
ASSAY_CHECK(uses_cosine);
