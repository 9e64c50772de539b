/* A stack of tapes: right only where the last call is reversed first. */
// names: wrong state
// names: reverse sweeps in the same order
// names: tapes
#include "rule.h"

static double tapes[1024];
static int depth;

double cosine(double x) {
  return cos(x);
}
struct augmented cosine_augmented(double x) {
  if (CHOOSE(1, 0))
    tapes[depth++] = x;
  return with_tape(keep(&x, sizeof x), cos(x));
}
double cosine_reverse(double x, double seed, double *tape) {
  const double kept = CHOOSE(tapes[--depth], *tape);
  free(tape);
  return -sin(kept) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
double uses_cosine(double x) {
  return cosine(x);
}
ASSAY_CHECK(uses_cosine);
