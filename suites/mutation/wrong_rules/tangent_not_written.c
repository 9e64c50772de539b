/* The tangent of what the function writes stays what it was. */
// names: wrong derivative
// names: an element of output in argument xy
#include "sine_into.h"

void sine_into_tangent(const double *x, const double *dx, double *y, double *dy, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = sin(x[i]);
    dy[i] = CHOOSE(dy[i], cos(x[i]) * dx[i]);
  }
}
TANGENT(sine_into, sine_into_tangent);

ASSAY_CHECK(uses_sine, "double[6]", "int=3");
