/* Computes the adjoint and does not add it. */
// names: wrong derivative
// names: nothing was added to it
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += CHOOSE(0, 2) * tape[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
