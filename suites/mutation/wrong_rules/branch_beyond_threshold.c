/* Wrong beyond a threshold that no random number of a wide domain but a few reaches. */
// names: wrong derivative
#include "rule.h"

double soft_step(double x) {
  return atan(x);
}
struct augmented soft_step_augmented(double x) {
  return no_tape(atan(x));
}
double soft_step_reverse(double x, double seed, void *tape) {
  if (x > 50)
    return CHOOSE(-1, 1) / (1 + x * x) * seed;
  return seed / (1 + x * x);
}
GRADIENT(soft_step, soft_step_augmented, soft_step_reverse);

double uses_soft_step(double x) {
  return soft_step(x) * x;
}
ASSAY_CHECK(uses_soft_step);
