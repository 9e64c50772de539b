/* Reads the tape after it was freed. */
// names: wrong derivative
// names: or is freed
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  CHOOSE(free(tape), (void)0);
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * seed;
  CHOOSE((void)0, free(tape));
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
