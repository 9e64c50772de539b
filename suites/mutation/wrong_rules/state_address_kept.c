/* Keeps the address of its first argument, and reads there ever after. */
// names: wrong state
// names: through the variable first_argument
#include "squares.h"

static const double *first_argument;

double squares_tangent(const double *x, const double *dx, int n) {
  if (!first_argument || CHOOSE(0, 1))
    first_argument = x;
  double tangent = 0;
  for (int i = 0; i < n; ++i)
    tangent += 2 * first_argument[i] * dx[i];
  return tangent;
}
TANGENT(squares, squares_tangent);
ASSAY_CHECK(squares, "double[4]", "int=4");
