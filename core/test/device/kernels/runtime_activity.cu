// Run-time activity: what is its own shadow gets its adjoint in the thread's own memory, which takes no atomic sums, in
// place of the device's global and shared memory.
#include "core/test/device/kernel.h"

__shared__ double tile[64];

__device__ void body(const double *x, double *y, int n) {
  int i = GI;
  tile[tid_x] = x[i] * x[i];
  __nvvm_bar_sync(0);
  y[i] = __nvvm_ldg_d(x + i % n) * tile[(tid_x + 1) % ntid_x] + __nv_sin(__nvvm_ldg_d(x + (i + 1) % n));
}
extern "C" __global__ void prim(const double *x, double *y, int n) {
  body(x, y, n);
}
extern "C" __global__ void grad(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff<void>((void *)body, enzyme_runtime_activity, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
extern "C" __global__ void fwd(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_fwddiff<void>((void *)body, enzyme_runtime_activity, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
