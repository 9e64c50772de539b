/* Wrong in a narrow window of one argument, on one side of another, where that is not too large. */
// names: wrong derivative
#include "rule.h"

double wave(double x, double y) {
  return sin(x) * exp(-y * y / 50);
}
struct augmented wave_augmented(double x, double y) {
  return no_tape(wave(x, y));
}
struct pair wave_reverse(double x, double y, double seed, void *tape) {
  const double envelope = exp(-y * y / 50);
  double slope = -y / 25;
  if (y < -2 && x > 37.5 && x < 37.625)
    slope = CHOOSE(-y / 24, -y / 25);
  struct pair gradient = {cos(x) * envelope * seed, sin(x) * envelope * slope * seed};
  return gradient;
}
GRADIENT(wave, wave_augmented, wave_reverse);
double uses_wave(double x, double y) {
  return wave(x, y);
}
ASSAY_CHECK(uses_wave);
