// EXPECT: a block reads behind a fence what other blocks of the launch have written
#include "core/test/device/kernel.h"

__device__ int count;

__device__ void body(const double *x, double *y, int n) {
  __scoped_atomic_fetch_add(y + 1, x[tid_x] * x[tid_x], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __nvvm_membar_gl();
  if (__scoped_atomic_fetch_add(&count, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) == n - 1) {
    const double sum = *(volatile double *)(y + 1);
    y[0] = sum * sum;
  }
}
KERNELS(double)
