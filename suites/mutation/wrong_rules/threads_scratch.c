/* Works in static memory, which all threads share. */
// names: wrong state
// names: called from two threads at once, each with its own arguments, the derivative gives other numbers than alone
// names: they share the variable scratch
#include "squares.h"

#ifdef RIGHT
#define STORAGE _Thread_local
#else
#define STORAGE
#endif

static STORAGE double scratch[4];

void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    scratch[i] = 2 * tape[i] * seed;
  for (int i = 0; i < n; ++i)
    dx[i] += scratch[i];
  free(tape);
}
GRADIENT(squares, squares_augmented, squares_reverse);
ASSAY_CHECK(squares, "double[4]", "int=4");
