/* Returns early where all tangents are zero, before it has written the result. */
// names: wrong primal
// names: with a seed of zero, the function's result or the memory that it writes is another one
#include "rule.h"

void cubes(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * x[i] * x[i];
}
void cubes_tangent(double *x, double *dx, int n) {
  int moves = CHOOSE(0, 1);
  for (int i = 0; i < n; ++i) {
    moves |= dx[i] != 0;
    dx[i] *= 3 * x[i] * x[i];
  }
  if (moves)
    cubes(x, n);
}
TANGENT(cubes, cubes_tangent);
ASSAY_CHECK(cubes, "double[4]", "int=4");
