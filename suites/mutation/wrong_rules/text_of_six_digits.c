/* Keeps its argument as text of six digits, which rounding modes round otherwise: that is no rounding of arithmetic. */
// names: wrong derivative
// names: right to 6 digits
#include "cosine.h"
#include <stdio.h>

struct augmented text_augmented(double x) {
  return with_tape(keep(&x, sizeof x), cos(x));
}
double text_reverse(double x, double seed, double *tape) {
  char text[32];
  double kept = *tape;
  snprintf(text, sizeof text, "%.6g", kept);
  kept = CHOOSE(strtod(text, NULL), kept);
  free(tape);
  return -sin(kept) * seed;
}
GRADIENT(cosine, text_augmented, text_reverse);
ASSAY_CHECK(uses_cosine);
