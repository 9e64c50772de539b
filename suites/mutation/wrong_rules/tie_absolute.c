/* The function takes the right branch at zero, the rule the left one. */
// names: wrong derivative
// names: the point is a tie
#include "rule.h"

double size(double x) {
  return x < 0 ? -x : x;
}
struct augmented size_augmented(double x) {
  return no_tape(size(x));
}
double size_reverse(double x, double seed, void *tape) {
  return (CHOOSE(x <= 0, x < 0) ? -1 : 1) * seed;
}
GRADIENT(size, size_augmented, size_reverse);

double uses_size(double x) {
  return size(x - 0.375);
}
ASSAY_CHECK(uses_size);
