/* Right where input and output are different memory; in place, the adjoint of the output is cleared too late. */
// names: wrong derivative
// names: x[
#include "adjoint_cleared_late.h"

GRADIENT(sine_into, sine_into_augmented, sine_into_reverse);

void in_place(double *x, int n) {
  sine_into(x, x, n);
}
ASSAY_CHECK(in_place, "double[3]", "int=3");
