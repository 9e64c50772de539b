/* A cache whose key is one of two arguments. */
// names: wrong state
// names: after a call at inputs of which only y is another
// names: variable cached_
#include "rule.h"

static _Thread_local double cached_x = NAN, cached_y = NAN, cached;

double power(double x, double y) {
  return exp(y * x) + y;
}
struct augmented power_augmented(double x, double y) {
  return no_tape(power(x, y));
}
struct pair power_reverse(double x, double y, double seed, void *tape) {
  if (x != cached_x || CHOOSE(0, y != cached_y)) {
    cached_x = x;
    cached_y = y;
    cached = exp(y * x);
  }
  struct pair adjoint = {seed * y * cached, seed * (x * cached + 1)};
  return adjoint;
}
GRADIENT(power, power_augmented, power_reverse);

double beside_a_cache(double x, double y) {
  return power(x, y);
}
ASSAY_CHECK(beside_a_cache);
