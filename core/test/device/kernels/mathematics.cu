// A kernel of one thread each: mathematics of the device library.
#include "core/test/device/kernel.h"

__device__ double f(double x) {
  return __nv_sin(x) * __nv_fabs(x) + __nv_pow(x, 2.5);
}
__device__ void body(const double *x, double *y, int n) {
  int i = tid_x + ntid_x * ctaid_x;
  if (i < n)
    y[i] = f(x[i]) * x[i];
}
KERNELS(double)
