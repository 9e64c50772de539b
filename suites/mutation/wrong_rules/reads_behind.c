/* Reads the element behind the last one, and multiplies it by zero. */
// names: wrong derivative
// names: memory beside x or its shadow
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * seed + CHOOSE(0 * dx[n], 0);
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
