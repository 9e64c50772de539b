/* The sines of an array, and the first half of a right rule for them, which keeps their arguments. */
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
void uses_sine(double *xy, int n) {
  sine_into(xy, xy + n, n);
}
