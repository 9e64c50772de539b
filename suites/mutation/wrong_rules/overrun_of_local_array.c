/* A local array that is one number too short for the last step of its loop. */
// names: wrong mutation
// names: squares_reverse accesses memory beyond its array slopes at f.c:
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  double slopes[4];
  for (int i = 0; i < n + CHOOSE(1, 0); ++i)
    slopes[i] = i < n ? 2 * tape[i] : 0;
  for (int i = 0; i < n; ++i)
    dx[i] += slopes[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[n]", "int=1..4");
