/* Reads the argument in the reverse sweep, when its caller may have overwritten it. */
// names: wrong derivative
// names: which has to be kept
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * CHOOSE(x, tape)[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
