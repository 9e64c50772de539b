/* A function is declared inactive that is not. */
// names: wrong derivative
// names: gain has no derivative, by __enzyme_inactivefn_gain
#include "rule.h"

__attribute__((noinline)) double gain(double x) {
  return 1 + 0.25 * sin(x);
}
#ifndef RIGHT
void *__enzyme_inactivefn_gain[] = {(void *)gain};
#endif
double uses_gain(double x) {
  return x * x * gain(x);
}
ASSAY_CHECK(uses_gain);
