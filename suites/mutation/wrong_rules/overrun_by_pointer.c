/* A pointer that goes through an array of a length known at run time alone, and one further. */
// names: wrong mutation
// names: squares_reverse accesses memory beyond its array
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  double slopes[n];
  double *next = slopes;
  for (const double *number = tape; number != tape + n; ++number)
    *next++ = 2 * *number;
  *(next - CHOOSE(0, 1)) = 2 * tape[n - 1];
  for (int i = 0; i < n; ++i)
    dx[i] += slopes[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[n]", "int=1..4");
