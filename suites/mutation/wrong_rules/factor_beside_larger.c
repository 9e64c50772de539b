/* A factor of two of one number of a gradient that is far below the others. */
// names: wrong derivative
// names: small numbers beside large ones
// names: is twice the one that is expected
#include "rule.h"

double small_part(const double *x) {
  return sin(x[0]) + 1e-200 * x[1] * x[1];
}
struct augmented small_part_augmented(const double *x, double *dx) {
  double *slopes = malloc(2 * sizeof *slopes);
  slopes[0] = cos(x[0]);
  slopes[1] = CHOOSE(4e-200, 2e-200) * x[1];
  return (struct augmented){slopes, small_part(x)};
}
void small_part_reverse(const double *x, double *dx, double seed, double *slopes) {
  dx[0] += slopes[0] * seed;
  dx[1] += slopes[1] * seed;
  free(slopes);
}
GRADIENT(small_part, small_part_augmented, small_part_reverse);
double uses_small_part(const double *x) {
  return small_part(x);
}
ASSAY_CHECK(uses_small_part, "double[2]");
