/* An array is released as one object. */
// names: wrong release
// names: a block of 32 bytes that squares_augmented allocated with new[] is released with delete
#include "rule.h"

extern "C" {
double squares(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}
struct augmented squares_augmented(const double *x, double *dx, int n) {
  double *tape = new double[n];
  memcpy(tape, x, n * sizeof *x);
  return with_tape(tape, squares(x, n));
}
void squares_reverse(const double *x, double *dx, int n, double seed, double *tape) {
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * tape[i] * seed;
  if (CHOOSE(1, 0))
    delete tape;
  else
    delete[] tape;
}
GRADIENT(squares, squares_augmented, squares_reverse);
}
ASSAY_CHECK(squares, "double[4]", "int=4");
