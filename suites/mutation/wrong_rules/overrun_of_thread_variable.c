/* Scratch memory of each thread, which is too short for the longest inputs. */
// names: wrong mutation
// names: squares_reverse accesses memory beyond the variable squares_reverse::slopes at f.c:
#include "squares.h"

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  static _Thread_local double slopes[CHOOSE(6, 8)];
  for (int i = 0; i < n; ++i)
    slopes[i] = 2 * tape[i];
  for (int i = 0; i < n; ++i)
    dx[i] += slopes[i] * seed;
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[n]", "int=1..8");
