// EXPECT: neither a sum, a maximum, a minimum nor an exchange\|the old value of an atomic update
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int) {
  double seen = y[3], product;
  do
    product = seen * x[tid_x];
  while (!__scoped_atomic_compare_exchange(&y[3], &seen, &product, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_DEVICE));
}
KERNELS(double)
