/* A derivative in double that is off by a part in a million, beside floats, which are compared less closely. */
// names: wrong derivative
// names: right to 6 digits
#include "rule.h"

double scaled(double x, float y) {
  return x * x * y;
}
struct augmented scaled_augmented(double x, float y) {
  return no_tape(scaled(x, y));
}
struct mixed {
  double x;
  float y;
};
struct mixed scaled_reverse(double x, float y, double seed, void *tape) {
  struct mixed gradient = {2 * x * y * seed * CHOOSE(1 + 1e-6, 1), x * x * seed};
  return gradient;
}
GRADIENT(scaled, scaled_augmented, scaled_reverse);
ASSAY_CHECK(scaled, "double:(0.5,2)", "float:(0.5,2)");
