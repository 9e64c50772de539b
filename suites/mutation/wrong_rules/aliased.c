/* Right where input and output are different memory; in place, the adjoint of the output is cleared too late. */
// names: wrong derivative
// names: x[
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
    const double adjoint = dy[i];
    CHOOSE((void)0, dy[i] = 0);
    dx[i] += cos(tape[i]) * adjoint;
    CHOOSE(dy[i] = 0, (void)0);
  }
  free(tape);
}
GRADIENT(sine_into, sine_into_augmented, sine_into_reverse);

void in_place(double *x, int n) {
  sine_into(x, x, n);
}
ASSAY_CHECK(in_place, "double[3]", "int=3");
