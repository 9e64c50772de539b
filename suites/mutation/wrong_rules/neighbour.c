/* Adjoints go to the next element. */
// names: wrong derivative
// names: off by one
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[CHOOSE((i + 1) % n, i)] += 2 * tape[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
