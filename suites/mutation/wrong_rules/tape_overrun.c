/* Writes behind the end of its tape. */
// names: wrong mutation
// names: memory behind a block of 32 bytes that squares_augmented allocated on the heap was written
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * seed;
  volatile double *kept = tape;
  kept[CHOOSE(n, 0)] = tape[0];
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
