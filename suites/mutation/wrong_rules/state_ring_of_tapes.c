/* Room for four tapes: the fifth overwrites the first. */
// names: wrong state
// names: each between those of the one before
// names: the variables
// names: ring
#include "rule.h"

static _Thread_local double ring[4];
static _Thread_local unsigned next;

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  double *slot = &ring[next++ % 4];
  *slot = x;
  return with_tape(CHOOSE(slot, keep(&x, sizeof x)), cos(x));
}
double cosine_reverse(double x, double seed, double *tape) {
  const double kept = *tape;
  CHOOSE((void)0, free(tape));
  return -sin(kept) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
