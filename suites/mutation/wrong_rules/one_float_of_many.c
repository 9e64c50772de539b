/* One adjoint of many floats is a little off, beside rounding in as many outputs. */
// names: wrong derivative
// names: x[1000]
#include "rule.h"

void waves(const float *x, float *y, int n) {
  float mean = 0;
  for (int i = 0; i < n; ++i)
    mean += x[i];
  mean /= n;
  for (int i = 0; i < n; ++i)
    y[i] = (x[i] - mean) * sinf(x[i]);
}
void *waves_augmented(const float *x, float *dx, float *y, float *dy, int n) {
  waves(x, y, n);
  return keep(x, n * sizeof *x);
}
void waves_reverse(const float *x, float *dx, float *y, float *dy, int n, float *kept) {
  float mean = 0, of_mean = 0;
  for (int i = 0; i < n; ++i)
    mean += kept[i];
  mean /= n;
  for (int i = 0; i < n; ++i)
    of_mean += dy[i] * sinf(kept[i]);
  for (int i = 0; i < n; ++i) {
    const float factor = CHOOSE(i == 1000 ? 1.05f : 1, 1);
    dx[i] += dy[i] * (sinf(kept[i]) + factor * (kept[i] - mean) * cosf(kept[i])) - of_mean / n;
    dy[i] = 0;
  }
  free(kept);
}
GRADIENT(waves, waves_augmented, waves_reverse);
void uses_waves(const float *x, float *y, int n) {
  waves(x, y, n);
}
ASSAY_CHECK(uses_waves, "float[1500]", "float[1500]", "int=1500");
