/* Remembers the last sine by the argument that it is of. */
#include "../wrong_rules/cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  static double known_argument = NAN, known_sine;
  if (known_argument != x) {
    known_sine = sin(x);
    known_argument = x;
  }
  return -known_sine * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
ASSAY_CHECK(uses_cosine);
