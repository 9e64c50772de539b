/* Leaves early where the numbers of the seed add up to zero. */
// names: wrong derivative
// names: add up to zero
#include "rule.h"

void scale(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] *= cos(x[i]);
}
void *scale_augmented(const double *x, double *dx, double *y, double *dy, int n) {
  double *kept = malloc((2 * n + 1) * sizeof *kept);
  memcpy(kept, x, n * sizeof *x);
  memcpy(kept + n, y, n * sizeof *y);
  scale(x, y, n);
  return kept;
}
void scale_reverse(const double *x, double *dx, double *y, double *dy, int n, double *kept) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += CHOOSE(dy[i], fabs(dy[i]));
  for (int i = 0; i < n && sum != 0; ++i) {
    dx[i] -= sin(kept[i]) * kept[n + i] * dy[i];
    dy[i] *= cos(kept[i]);
  }
  free(kept);
}
GRADIENT(scale, scale_augmented, scale_reverse);
void uses_scale(const double *x, double *y, int n) {
  scale(x, y, n);
}
ASSAY_CHECK(uses_scale, "double[n]", "double[n]", "int=1..6");
