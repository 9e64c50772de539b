/* A reverse of sine_into that is right where input and output are different memory: where they are the same, it clears
 * the adjoint of the input. */
#include "sine_into.h"

void sine_into_reverse(const double *x, double *dx, double *y, double *dy, int n, double *tape) {
  for (int i = 0; i < n; ++i) {
    const double adjoint = dy[i];
    CHOOSE((void)0, dy[i] = 0);
    dx[i] += cos(tape[i]) * adjoint;
    CHOOSE(dy[i] = 0, (void)0);
  }
  free(tape);
}
