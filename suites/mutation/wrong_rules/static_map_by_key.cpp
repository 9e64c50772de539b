/* A map of derivatives by a key of three digits, in a static variable of the rule, which is made by the first call and
 * never again. */
// names: wrong state
// names: inputs that differ by a small part
#include "rule.h"
#include <map>

extern "C" {
double bell(double x) {
  return exp(sin(3 * x));
}
struct augmented bell_augmented(double x) {
  return with_tape(NULL, bell(x));
}
double bell_reverse(double x, double seed, void *) {
  static std::map<long, double> slopes;
  const double slope = 3 * cos(3 * x) * exp(sin(3 * x));
  return seed * CHOOSE(slopes.emplace(lround(1000 * x), slope).first->second, slope);
}
GRADIENT(bell, bell_augmented, bell_reverse);
double uses_bell(double x) {
  return bell(x);
}
}
ASSAY_CHECK(uses_bell, "double:(0.1,3)");
