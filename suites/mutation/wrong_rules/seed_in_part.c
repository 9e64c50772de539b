/* Looks at the first adjoint alone to know whether there is anything to do. */
// names: wrong derivative
// names: with a seed that is zero everywhere but in xy[
// names: with one that is zero there, do not add up to that with the whole seed
#include "rule.h"

void cubes(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * x[i];
}
void *cubes_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  cubes(x, y, n);
  return keep(x, n * sizeof *x);
}
void cubes_reverse(const double *x, double *dx, double *y, double *dy, int n, double *tape) {
  for (int i = 0; i < n && CHOOSE(dy[0] != 0, 1); ++i)
    dx[i] += 3 * tape[i] * tape[i] * dy[i];
  for (int i = 0; i < n; ++i)
    dy[i] = 0;
  free(tape);
}
GRADIENT(cubes, cubes_augmented, cubes_reverse);

void uses_cubes(double *xy, int n) {
  cubes(xy, xy + n, n);
}
ASSAY_CHECK(uses_cubes, "double[4]", "int=2");
