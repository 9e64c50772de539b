// A product of matrices in tiles of shared memory.
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int n) {
  __shared__ double a[64], b[64];
  int t = tid_x, r = t / 8, c = t % 8, br = ctaid_x / 2, bc = ctaid_x % 2;
  double s = 0;
  for (int k = 0; k < n / 128; ++k) {
    a[t] = x[(br * 8 + r) * 16 % n + (k * 8 + c) % 16];
    b[t] = x[((k * 8 + r) * 16 + bc * 8 + c) % n];
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      s += a[r * 8 + j] * b[j * 8 + c];
    __syncthreads();
  }
  y[ctaid_x * 64 + t] = s;
}
KERNELS(double)
