/* Adds what the shadow held once more. */
// names: wrong derivative
// names: the incoming shadow is counted twice
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += CHOOSE(dx[i], 0) + 2 * tape[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
