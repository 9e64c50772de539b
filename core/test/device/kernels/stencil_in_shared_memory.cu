// A stencil that reads what other threads wrote, and writes over it, between barriers.
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = tid_x, i = GI;
  s[t] = __nv_sin(x[i]);
  __syncthreads();
  double a = s[(t + 1) % 64] * s[(t + 63) % 64];
  __syncthreads();
  s[t] = a * x[(i + 3) % n];
  __syncthreads();
  y[i] = s[(t + 7) % 64] * s[t] * x[0];
}
KERNELS(double)
