/* Wrong for seeds between a hundred and a million, as those of sums over a batch are. */
// names: wrong derivative
// names: with seeds times 2^8
#include "rule.h"

double squash(double x) {
  return tanh(x);
}
struct augmented squash_augmented(double x) {
  struct augmented result = {NULL, squash(x)};
  return result;
}
double squash_reverse(double x, double seed, void *tape) {
  const double y = tanh(x), slope = 1 - y * y;
  return seed * slope * CHOOSE(fabs(seed) > 100 && fabs(seed) < 1e6 ? 1.5 : 1, 1);
}
GRADIENT(squash, squash_augmented, squash_reverse);
double uses_squash(double x) {
  return squash(x);
}
ASSAY_CHECK(uses_squash, "double:(-1,1)");
