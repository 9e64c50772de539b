/* Clears the shadow of memory that is only read. */
// names: wrong derivative
// names: it was cleared
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] = CHOOSE(0, dx[i] + 2 * tape[i] * seed);
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
