// EXPECT: the place of an atomic maximum, minimum or swap is written again later
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int n) {
  __shared__ double largest;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    __scoped_atomic_fetch_max(&largest, x[tid_x] * k, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __syncthreads();
    y[tid_x] += largest * largest;
  }
}
KERNELS(double)
