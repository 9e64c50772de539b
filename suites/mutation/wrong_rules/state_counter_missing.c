/* Computes the function anew and forgets what else it does. */
// names: wrong state
// names: does not write the variable calls (f.c:
// names: the function leaves 1 there
#include "rule.h"

static long calls;

double counted(double x) {
  ++calls;
  return calls > 100 ? x : x * x;
}
struct pair counted_tangent(double x, double dx) {
  struct pair both = {CHOOSE(x * x, counted(x)), 2 * x * dx};
  return both;
}
TANGENT(counted, counted_tangent);
ASSAY_CHECK(counted);
