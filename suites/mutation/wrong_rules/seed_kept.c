/* What is overwritten no longer has an adjoint: its shadow has to become zero. */
// names: wrong derivative
// names: still holds its seed
#include "rule.h"

void sine_into(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = sin(x[i]);
}
void *sine_into_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  void *tape = keep(x, n * sizeof *x);
  sine_into(x, y, n);
  return tape;
}
void sine_into_reverse(const double *x, double *dx, double *y, double *dy, int n, double *tape) {
  for (int i = 0; i < n; ++i) {
    dx[i] += cos(tape[i]) * dy[i];
    dy[i] *= CHOOSE(1, 0);
  }
  free(tape);
}
GRADIENT(sine_into, sine_into_augmented, sine_into_reverse);

void uses_sine(double *xy, int n) {
  sine_into(xy, xy + n, n);
}
ASSAY_CHECK(uses_sine, "double[6]", "int=3");
