/* Takes the same address for the same content. */
// names: wrong state
// names: kept by address
// names: through the variable known_address
#include "squares.h"

static _Thread_local const double *known_address;
static _Thread_local double sum_of;

double normalised(const double *x, int n) {
  return 1 / squares(x, n);
}
double normalised_tangent(const double *x, const double *dx, int n) {
  if (x != known_address || CHOOSE(0, 1)) {
    sum_of = 0;
    for (int i = 0; i < n; ++i)
      sum_of += x[i] * x[i];
    known_address = x;
  }
  double tangent = 0;
  for (int i = 0; i < n; ++i)
    tangent -= 2 * x[i] * dx[i] / (sum_of * sum_of);
  return tangent;
}
TANGENT(normalised, normalised_tangent);
ASSAY_CHECK(normalised, "double[4]:positive", "int=4");
