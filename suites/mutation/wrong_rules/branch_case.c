/* Wrong in one case of a switch over the integer part. */
// names: wrong derivative
#include "rule.h"

double cube(double x) {
  return x * x * x;
}
struct augmented cube_augmented(double x) {
  return no_tape(cube(x));
}
double cube_reverse(double x, double seed, void *tape) {
  switch ((int)x) {
  case 0:
  case 1:
    return 3 * x * x * seed;
  case -17:
    return CHOOSE(2, 3) * x * x * seed;
  default:
    return 3 * x * x * seed;
  }
}
GRADIENT(cube, cube_augmented, cube_reverse);

double uses_cube(double x) {
  return cube(x);
}
ASSAY_CHECK(uses_cube);
