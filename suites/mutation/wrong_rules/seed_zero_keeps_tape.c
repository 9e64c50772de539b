/* Returns early where the seed is zero, and does not free its tape. */
// names: wrong release
// names: with a seed of zero, each call of the derivative leaves
// names: that squares_augmented allocated
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  if (CHOOSE(seed == 0, 0))
    return;
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
