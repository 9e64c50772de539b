/* Sums in a buffer of its own, which is clear only when the program starts. */
// names: wrong state
// names: through the variable sums
#include "squares.h"

static _Thread_local double sums[4];

double squares_tangent(const double *x, const double *dx, int n) {
  if (CHOOSE(0, 1))
    memset(sums, 0, sizeof sums);
  for (int i = 0; i < n; ++i)
    sums[i % 4] += 2 * x[i] * dx[i];
  return sums[0] + sums[1] + sums[2] + sums[3];
}
TANGENT(squares, squares_tangent);
ASSAY_CHECK(squares, "double[4]", "int=4");
