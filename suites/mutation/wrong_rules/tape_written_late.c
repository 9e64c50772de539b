/* Writes to its tape after it was freed. */
// names: wrong mutation
// names: was written after it was freed
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  double *volatile kept = tape;
  const double first = tape[0];
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * seed;
  CHOOSE(free(tape), (void)0);
  kept[0] = first;
  CHOOSE((void)0, free(tape));
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
