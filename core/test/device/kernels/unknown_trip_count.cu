// A loop whose trip count is not known keeps values on a tape; all threads read the same parameters.
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int n) {
  int i = GI;
  double v = x[i];
  int k = 0;
  while (v < 3.0 && k < 100) {
    v = v * v * 0.3 + __nv_sin(v) * x[k % 5] + 0.2;
    ++k;
  }
  y[i] = v;
}
KERNELS(double)
