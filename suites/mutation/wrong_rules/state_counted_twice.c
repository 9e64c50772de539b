/* Calls the function in both sweeps. */
// names: wrong state
// names: in the variable calls
// names: where the function leaves 1
#include "rule.h"

static int calls;

double counted(double x) {
  ++calls;
  return calls > 100 ? x : x * x;
}
struct augmented counted_augmented(double x) {
  return no_tape(counted(x));
}
double counted_reverse(double x, double seed, void *tape) {
  if (CHOOSE(1, 0))
    counted(x);
  return 2 * x * seed;
}
GRADIENT(counted, counted_augmented, counted_reverse);
ASSAY_CHECK(counted);
