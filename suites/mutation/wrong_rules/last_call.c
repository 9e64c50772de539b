/* Keeps the argument in a variable of its own, where the next call overwrites it. */
// names: wrong derivative
// names: reverse is the odd one
#include "rule.h"

static double last;

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  last = x;
  return no_tape(cos(x));
}
double cosine_reverse(double x, double seed, void *tape) {
  return -sin(CHOOSE(last, x)) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);

double uses_cosine(double x) {
  return cosine(x) * cosine(x * x);
}
ASSAY_CHECK(uses_cosine);
