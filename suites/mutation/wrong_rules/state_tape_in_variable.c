/* The tape is a variable: one call at a time. */
// names: wrong state
// names: two augmented primals before their reverse sweeps
// names: the variable last
#include "rule.h"

static double last;

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  struct augmented result = {keep(&x, sizeof x), cos(x)};
  last = x;
  return result;
}
double cosine_reverse(double x, double seed, double *tape) {
  const double kept = CHOOSE(last, *tape);
  free(tape);
  return -sin(kept) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
