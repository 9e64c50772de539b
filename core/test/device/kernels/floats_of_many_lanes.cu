// Weights that all lanes read, in floats.
// Sums are made by whole warps.
#include "core/test/device/kernel.h"

__device__ void body(const float *x, float *y, int n) {
  const int i = GI;
  float sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += x[(i + k) % n] * x[k];
  y[i] = sum * x[n - 1];
}
KERNELS(float)
