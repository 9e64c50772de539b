/* A cache that takes inputs which nearly agree for the same. */
// names: wrong state
// names: after a call at inputs that differ by a small part
// names: variable cached_at
#include "rule.h"

static _Thread_local double cached_at = 1e300, cached;

double tangent_of_third(double x) {
  return tan(x / 3);
}
struct augmented tangent_of_third_augmented(double x) {
  return no_tape(tangent_of_third(x));
}
double tangent_of_third_reverse(double x, double seed, void *tape) {
  if (!(fabs(x - cached_at) <= CHOOSE(1e-3, 0))) {
    cached_at = x;
    cached = (1 + tan(x / 3) * tan(x / 3)) / 3;
  }
  return seed * cached;
}
GRADIENT(tangent_of_third, tangent_of_third_augmented, tangent_of_third_reverse);

double beside_a_cache(double x) {
  return tangent_of_third(x);
}
ASSAY_CHECK(beside_a_cache);
