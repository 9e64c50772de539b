// Barriers that count and that wait for a warp; memory of restrict pointers that other threads overwrite.
#include "core/test/device/kernel.h"

__device__ void body(const double *__restrict__ x, double *__restrict__ y, int n) {
  int i = GI, t = tid_x, b = ctaid_x * 64;
  y[i] = x[i] * 2;
  int c = __nvvm_bar0_popc(t < 10);
  double u = y[b + (t + 1) % 64];
  __syncthreads();
  y[i] = u * u * c;
  __nvvm_bar_warp_sync(0xffffffff);
  y[i] *= y[i] * x[i];
}
KERNELS(double)
