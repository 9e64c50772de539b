// A reduction in shared memory, in halves.
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = tid_x, i = GI;
  s[t] = x[i] * x[i];
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (t < k)
      s[t] += s[t + k] * s[t];
    __syncthreads();
  }
  if (t == 0)
    y[ctaid_x] = s[0];
}
KERNELS(double)
