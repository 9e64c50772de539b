/* A value that is overwritten no longer has an adjoint: its shadow has to become zero. */
// names: wrong derivative
// names: still holds its seed
#include "sine_into.h"

void sine_into_reverse(const double *x, double *dx, double *y, double *dy, int n, double *tape) {
  for (int i = 0; i < n; ++i) {
    dx[i] += cos(tape[i]) * dy[i];
    dy[i] *= CHOOSE(1, 0);
  }
  free(tape);
}
GRADIENT(sine_into, sine_into_augmented, sine_into_reverse);

ASSAY_CHECK(uses_sine, "double[6]", "int=3");
