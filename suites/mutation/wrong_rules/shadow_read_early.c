/* Keeps what the shadow of its output holds when the augmented function runs: its caller fills it later. */
// names: wrong derivative
// names: in the split form
#include "rule.h"

void square_into(const double *x, double *y) {
  *y = *x * *x;
}
void *square_into_augmented(const double *x, double *dx, double *y, double *dy) {
  const double kept[2] = {*x, *dy};
  square_into(x, y);
  return keep(kept, sizeof kept);
}
void square_into_reverse(const double *x, double *dx, double *y, double *dy, double *tape) {
  *dx += 2 * tape[0] * CHOOSE(tape[1], *dy);
  *dy = 0;
  free(tape);
}
GRADIENT(square_into, square_into_augmented, square_into_reverse);

void uses_square(double *xy) {
  square_into(xy, xy + 1);
}
ASSAY_CHECK(uses_square, "double[2]");
