/* Needs the argument that the function overwrites, and reads it when it is overwritten. */
// names: wrong derivative
// names: the contents of memory after the call
#include "rule.h"

void square(double *x) {
  *x *= *x;
}
void *square_augmented(double *x, double *dx) {
  void *tape = keep(x, sizeof *x);
  square(x);
  return tape;
}
void square_reverse(double *x, double *dx, double *tape) {
  *dx *= 2 * CHOOSE(*x, *tape);
  free(tape);
}
GRADIENT(square, square_augmented, square_reverse);

void squares(double *x) {
  square(x);
  square(x + 1);
}
ASSAY_CHECK(squares, "double[2]:(0.5,2)");
