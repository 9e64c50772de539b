/* A cache whose key is the square of the argument, for a slope that depends on its sign. */
// names: wrong state
// names: after a call at the same numbers with other signs
// names: variable cached_at
#include "rule.h"

static _Thread_local double cached_at = NAN, cached;

double wave(double x) {
  return sin(x) + x * x / 4;
}
struct augmented wave_augmented(double x) {
  return no_tape(wave(x));
}
double wave_reverse(double x, double seed, void *tape) {
  const double key = CHOOSE(x * x, x);
  if (key != cached_at) {
    cached_at = key;
    cached = cos(x) + x / 2;
  }
  return seed * cached;
}
GRADIENT(wave, wave_augmented, wave_reverse);

double beside_a_cache(double x) {
  return wave(x);
}
ASSAY_CHECK(beside_a_cache);
