/* A loop that ends one element early. */
// names: wrong derivative
// names: only the last element of x is wrong
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n - CHOOSE(1, 0); ++i)
    dx[i] += 2 * tape[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
