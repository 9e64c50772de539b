// EXPECT: a block reads behind a fence what other blocks of the launch have written
#include "core/test/device/kernel.h"

__device__ int count;

// What is written is constant here: its adjoint is cleared all the same.
__device__ void body(const double *x, double *y, int n) {
  y[tid_x] = tid_x + 0.5;
  __nvvm_membar_gl();
  if (__scoped_atomic_fetch_add(&count, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) == n - 1) {
    double sum = x[0];
    for (int k = 1; k < n; ++k)
      sum += y[k] * y[k];
    y[0] = sum;
  }
}
KERNELS(double)
