/* Works in memory of the thread, which each call fills before it reads it. */
#include "../wrong_rules/squares.h"

static _Thread_local double scratch[4];

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    scratch[i] = 2 * tape[i] * seed;
  for (int i = 0; i < n; ++i)
    dx[i] += scratch[i];
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
