/* Adds to an element that does not exist. */
// names: wrong mutation
// names: behind the shadow of x was written
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n + CHOOSE(1, 0); ++i)
    dx[i] += i < n ? 2 * tape[i] * seed : seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
