/* Powers from a table, one of whose 64 entries is off. */
// names: wrong derivative
#include "rule.h"

enum { entries = 64 };
static const double excess[entries] = {[41] = CHOOSE(1e-6, 0)};

double power(double x) {
  return exp2(x);
}
struct augmented power_augmented(double x) {
  return no_tape(exp2(x));
}
double power_reverse(double x, double seed, void *tape) {
  const int entry = (int)floor(x * entries) & (entries - 1);
  return seed * M_LN2 * exp2(x) * (1 + excess[entry]);
}
GRADIENT(power, power_augmented, power_reverse);

double uses_power(double x) {
  return power(x);
}
ASSAY_CHECK(uses_power);
