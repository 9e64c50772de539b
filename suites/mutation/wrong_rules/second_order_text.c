/* Keeps its argument as text, which carries no derivative. */
// names: wrong derivative
// names: second derivative, forward over reverse
#include "cosine.h"
#include <stdio.h>

struct augmented text_augmented(double x) {
  char *tape = malloc(64);
  snprintf(tape, 64, "%.17g", x);
  return with_tape(tape, cos(x));
}
double text_reverse(double x, double seed, char *tape) {
  const double kept = CHOOSE(strtod(tape, NULL), x);
  free(tape);
  return -sin(kept) * seed;
}
GRADIENT(cosine, text_augmented, text_reverse);
ASSAY_CHECK(uses_cosine);
