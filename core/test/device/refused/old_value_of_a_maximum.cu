// EXPECT: the old value of an atomic update takes part in the derivative
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int) {
  __shared__ double largest;
  if (tid_x == 0)
    largest = 0;
  __syncthreads();
  const double old = __scoped_atomic_fetch_max(&largest, x[tid_x], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  y[tid_x] = old * old;
}
KERNELS(double)
