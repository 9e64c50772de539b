/* Right where input and output are different memory; checked with one array for both, the adjoint of the output is
 * cleared too late. */
// names: wrong derivative
// names: sine_into(Duplicated x (y = x), Const n)
// names: --arg 'double[3] alias=x'
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
ASSAY_CHECK(sine_into, "double[3]", "double[3] alias=x", "int=3");
