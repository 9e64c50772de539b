// EXPECT: derivatives flow through the variable 'kept' in device memory, which has no shadow
#include "core/test/device/kernel.h"

__device__ double kept;
__device__ void body(const double *x, double *y, int) {
  kept = x[tid_x] * 2;
  y[tid_x] = kept * kept;
}
KERNELS(double)
