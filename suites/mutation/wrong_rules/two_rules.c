/* One of two rules is wrong. */
// names: wrong derivative
// names: sine: sine_augmented and sine_reverse, registered by __enzyme_register_gradient_sine; without this rule
#include "cosine.h"

double cosine_reverse(double x, double seed, void *tape) {
  return -sin(x) * seed;
}
double sine(double x) {
  return sin(x);
}
struct augmented sine_augmented(double x) {
  return no_tape(sin(x));
}
double sine_reverse(double x, double seed, void *tape) {
  return CHOOSE(-1, 1) * cos(x) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
GRADIENT(sine, sine_augmented, sine_reverse);
double uses_both(double x) {
  return cosine(x) * sine(x);
}
ASSAY_CHECK(uses_both);
