/* Powers of two are declared to have the derivatives of powers of e. */
// names: wrong derivative
// names: power_of_two has the derivatives of exp, by __enzyme_function_like_power
#include "rule.h"

__attribute__((noinline)) double power_of_two(double x) {
  double sum = 1;
  for (int i = 60; i > 0; --i)
    sum = 1 + sum * x * 0.6931471805599453 / i;
  return sum;
}
#ifndef RIGHT
void *__enzyme_function_like_power[] = {(void *)power_of_two, (void *)"exp"};
#endif
double uses_power_of_two(double x) {
  return 3 * power_of_two(x);
}
ASSAY_CHECK(uses_power_of_two);
