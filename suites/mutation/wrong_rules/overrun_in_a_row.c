/* A record of all calls, in memory for as many as the first one has elements. */
// names: wrong mutation
// names: in a row with other calls
// names: that squares_reverse allocated on the heap was written
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  static double *seeds;
  static int calls;
  if (!seeds)
    seeds = malloc(n * sizeof *seeds);
  volatile double *last = seeds + CHOOSE(calls, calls % n);
  *last = seed;
  ++calls;
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * *last;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
