/* A loss that is linear far from zero; the rule forgets that its slope is negative on the left. */
// names: wrong derivative
#include "rule.h"

double huber(double x) {
  return x * x <= 2500 ? x * x / 2 : 50 * sqrt(x * x) - 1250;
}
struct augmented huber_augmented(double x) {
  return no_tape(huber(x));
}
double huber_reverse(double x, double seed, void *tape) {
  return seed * (x * x <= 2500 ? x : CHOOSE(50, copysign(50, x)));
}
GRADIENT(huber, huber_augmented, huber_reverse);

double uses_huber(double x, double y) {
  return huber(x - y);
}
ASSAY_CHECK(uses_huber);
