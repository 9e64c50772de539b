// EXPECT: the adjoint of an atomic maximum, minimum or swap in global memory needs the final number
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int) {
  __scoped_atomic_fetch_max(&y[3], x[tid_x], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
KERNELS(double)
