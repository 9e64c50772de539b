// A reduction in shared memory, in a split derivative: the reverse sweep alone uses the array's shadow.
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
extern "C" __global__ void prim(const double *x, double *y, int n) {
  body(x, y, n);
}
extern "C" __global__ void grad(const double *x, double *dx, double *y, double *dy, int n) {
  void *tape =
      __enzyme_augmentfwd<void *>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
  __enzyme_reverse<void>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n, tape);
}
extern "C" __global__ void fwd(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_fwddiff<void>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
