/* The augmented function does not write what the function writes. */
// names: wrong mutation
// names: the function's write is missing
#include "rule.h"

void square(double *x) {
  *x *= *x;
}
void *square_augmented(double *x, double *dx) {
  void *tape = keep(x, sizeof *x);
  CHOOSE((void)0, square(x));
  return tape;
}
void square_reverse(double *x, double *dx, double *tape) {
  *dx *= 2 * *tape;
  free(tape);
}
GRADIENT(square, square_augmented, square_reverse);

void squares(double *x) {
  square(x);
  square(x + 1);
}
ASSAY_CHECK(squares, "double[2]:(0.5,2)");
