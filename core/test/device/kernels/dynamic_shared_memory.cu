// Shared memory whose size the launch says; its shadow lies behind it.
#include "core/test/device/kernel.h"

extern __shared__ double dyn[];
__device__ void body(const double *x, double *y, int n) {
  int t = tid_x, i = GI;
  dyn[t] = x[i] * x[i];
  dyn[t + 64] = x[(i + 1) % n];
  __syncthreads();
  y[i] = dyn[(t + 5) % 64] * dyn[64 + (t + 9) % 64];
}
KERNELS(double)
