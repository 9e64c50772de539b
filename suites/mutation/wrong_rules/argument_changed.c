/* Uses the argument for scratch. */
// names: x was changed, which the function leaves alone
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * seed;
  CHOOSE(((double *)x)[0] = tape[1], (void)x);
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
