/* A divisor that is kept from being zero by a small number, which is not small beside tiny arguments. */
// names: wrong derivative
#include "rule.h"

enum { count = 3 };

double norm(const double *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += x[i] * x[i];
  return sqrt(sum);
}
struct augmented norm_augmented(const double *x, double *dx) {
  return with_tape(keep(x, count * sizeof *x), norm(x));
}
void norm_reverse(const double *unused, double *dx, double seed, double *x) {
  const double divisor = norm(x) + CHOOSE(1e-12, 0);
  for (int i = 0; i < count; ++i)
    dx[i] += seed * x[i] / divisor;
  free(x);
}
GRADIENT(norm, norm_augmented, norm_reverse);

double uses_norm(const double *x) {
  return norm(x);
}
ASSAY_CHECK(uses_norm, "double[3]");
