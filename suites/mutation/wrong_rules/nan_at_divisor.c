/* Divides by what is zero on a curve where the function is smooth: 0/0 in place of 1. */
// names: wrong derivative
#include "rule.h"

double wave(double x, double y) {
  return sin(x * y - 0.75);
}
struct augmented wave_augmented(double x, double y) {
  return no_tape(wave(x, y));
}
struct pair wave_reverse(double x, double y, double seed, void *tape) {
  const double angle = x * y - 0.75;
  const double slope = CHOOSE(sin(2 * angle) / (2 * sin(angle)), cos(angle));
  struct pair adjoint = {y * slope * seed, x * slope * seed};
  return adjoint;
}
GRADIENT(wave, wave_augmented, wave_reverse);

double uses_wave(double x, double y) {
  return wave(x, y) + x;
}
ASSAY_CHECK(uses_wave);
