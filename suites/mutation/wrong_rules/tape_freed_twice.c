/* Frees the tape twice. */
// names: wrong release
// names: frees memory that is free already
// names: freed twice
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * seed;
  free(tape);
  CHOOSE(free(tape), (void)0);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
