/* Remembers a sum of squares by a copy of what it is of. */
#include "../wrong_rules/squares.h"

static double known[4] = {NAN}, known_sum;

double inverse_norm(const double *x, int n) {
  return 1 / squares(x, n);
}
double inverse_norm_tangent(const double *x, const double *dx, int n) {
  if (memcmp(known, x, sizeof known) != 0) {
    memcpy(known, x, sizeof known);
    known_sum = squares(x, n);
  }
  double tangent = 0;
  for (int i = 0; i < n; ++i)
    tangent -= 2 * x[i] * dx[i] / (known_sum * known_sum);
  return tangent;
}
TANGENT(inverse_norm, inverse_norm_tangent);
ASSAY_CHECK(inverse_norm, "double[4]:positive", "int=4");
