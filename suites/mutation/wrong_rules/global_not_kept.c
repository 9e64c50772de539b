/* Reads a variable of the function's in the reverse sweep, when another call may have changed it. */
// names: wrong derivative
// names: which has to be kept
#include "rule.h"

static double weight;

double weighted(double x, double y) {
  weight = sin(y);
  return weight * x * x;
}
struct augmented weighted_augmented(double x, double y) {
  const double result = weighted(x, y);
  struct augmented both = {keep(&weight, sizeof weight), result};
  return both;
}
struct pair weighted_reverse(double x, double y, double seed, double *tape) {
  struct pair gradient = {2 * CHOOSE(weight, *tape) * x * seed, cos(y) * x * x * seed};
  free(tape);
  return gradient;
}
GRADIENT(weighted, weighted_augmented, weighted_reverse);
ASSAY_CHECK(weighted);
