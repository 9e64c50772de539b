/* The slope that a right rule calls has a rule of its own with the wrong sign. */
// names: wrong derivative
// names: second derivative, forward over reverse
#include "cosine.h"

double slope(double x) {
  return -sin(x);
}
double slope_tangent(double x, double dx) {
  return CHOOSE(cos(x), -cos(x)) * dx;
}
double cosine_reverse(double x, double seed, void *tape) {
  return slope(x) * seed;
}
GRADIENT(cosine, cosine_augmented, cosine_reverse);
TANGENT(slope, slope_tangent);
ASSAY_CHECK(uses_cosine);
