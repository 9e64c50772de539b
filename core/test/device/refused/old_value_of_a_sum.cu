// EXPECT: the old value of an atomic sum takes part in the derivative
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int) {
  const double old = __scoped_atomic_fetch_add(&y[3], x[2], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  y[1] = old * old;
}
KERNELS(double)
