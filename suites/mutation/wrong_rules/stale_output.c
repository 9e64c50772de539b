/* Looks at what half of the output held before, though the function overwrites it. */
// names: wrong derivative
// names: overwrites without reading
#include "rule.h"

void first_squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  y[n] *= 2;
}
void *first_squares_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  double *tape = malloc(2 * n * sizeof *x);
  for (int i = 0; i < n; ++i) {
    tape[i] = x[i];
    tape[n + i] = y[i];
  }
  first_squares(x, y, n);
  return tape;
}
void first_squares_reverse(const double *x, double *dx, double *y, double *dy, int n, double *tape) {
  for (int i = 0; i < n; ++i) {
    dx[i] += 2 * tape[i] * dy[i] + CHOOSE(0 * tape[n + i], 0);
    dy[i] = 0;
  }
  dy[n] *= 2;
  free(tape);
}
GRADIENT(first_squares, first_squares_augmented, first_squares_reverse);

void uses_squares(double *xy, int n) {
  first_squares(xy, xy + n, n);
}
ASSAY_CHECK(uses_squares, "double[5]", "int=2");
