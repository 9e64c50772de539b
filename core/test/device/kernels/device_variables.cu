// Variables of the device: one that is only read is constant, others have shadows that the program registers and clears.
#include "core/test/device/kernel.h"

__device__ double scale = 1.5, table[4] = {1, 2, 3, 4};
__device__ double kept[256], of_kept[256];
__device__ void *__enzyme_shadow_global_kept[] = {(void *)kept, (void *)of_kept};

__device__ __attribute__((noinline)) double scaled(double x, int k) {
  return x * x * scale + table[k % 4] * x;
}

__device__ void body(const double *x, double *y, int n) {
  int i = GI;
  kept[i] = scaled(x[i], i);
  __syncthreads();
  const int other = i - tid_x + (tid_x + 5) % ntid_x;
  y[i] = kept[i] * kept[other];
  __syncthreads();
}

extern "C" __global__ void prim(const double *x, double *y, int n) {
  body(x, y, n);
}
extern "C" __global__ void grad(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff<void>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
extern "C" __global__ void fwd(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_fwddiff<void>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
  of_kept[GI] = 0; // the other mode starts from zero
}
