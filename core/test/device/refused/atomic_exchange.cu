// EXPECT: an atomic update of active memory that is no sum
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int) {
  double value = x[tid_x], old;
  __atomic_exchange(&y[tid_x], &value, &old, __ATOMIC_RELAXED);
}
KERNELS(double)
