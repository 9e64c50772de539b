/* Reads the values of the tape from each other's places. */
// names: wrong derivative
// names: reverse is the odd one
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[CHOOSE(n - 1 - i, i)] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
