/* Leaves out what the function writes for other files. */
// names: wrong state
// names: does not write the variable last_norm
#include "rule.h"

double last_norm;

double norm(double x, double y) {
  last_norm = sqrt(x * x + y * y);
  return last_norm;
}
struct augmented norm_augmented(double x, double y) {
  const double result = CHOOSE(sqrt(x * x + y * y), norm(x, y));
  struct augmented both = {keep(&result, sizeof result), result};
  return both;
}
struct pair norm_reverse(double x, double y, double seed, double *tape) {
  struct pair gradient = {x / *tape * seed, y / *tape * seed};
  free(tape);
  return gradient;
}
GRADIENT(norm, norm_augmented, norm_reverse);
ASSAY_CHECK(norm, "double:positive", "double:positive");
