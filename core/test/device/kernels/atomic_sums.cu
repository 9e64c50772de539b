// Atomic sums in shared and in global memory.
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int n) {
  __shared__ double s;
  int i = GI;
  if (tid_x == 0)
    s = 0;
  __syncthreads();
  __scoped_atomic_fetch_add(&s, x[i] * x[i], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __syncthreads();
  if (tid_x == 1)
    __scoped_atomic_fetch_add(&y[3], s * __nv_sin(s), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_sub(&y[i % 7 + 10], x[i] * x[(i + 1) % n], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
KERNELS(double)
