// EXPECT: active memory is changed behind a lock
#include "core/test/device/kernel.h"

__device__ int lock;

__device__ void body(const double *x, double *y, int) {
  volatile double *sum = y;
  for (bool done = false; !done;) {
    int expected = 0;
    if (__scoped_atomic_compare_exchange_n(&lock, &expected, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_DEVICE)) {
      *sum = *sum * 0.5 + x[tid_x];
      __nvvm_membar_gl();
      __scoped_atomic_exchange_n(&lock, 0, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
      done = true;
    }
  }
}
KERNELS(double)
