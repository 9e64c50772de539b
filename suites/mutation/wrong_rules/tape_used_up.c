/* Changes the tape while it reads it, so that it serves one lane only. */
// names: wrong derivative
// names: (lane 1)
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i) {
    dx[i] += 2 * tape[i] * seed;
    tape[i] *= CHOOSE(0, 1);
  }
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
