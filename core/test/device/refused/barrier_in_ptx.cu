// EXPECT: a barrier of a grid or a cluster, or one in inline PTX
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int) {
  asm volatile("bar.sync 0;" ::: "memory");
  y[tid_x] = x[tid_x] * x[tid_x];
}
KERNELS(double)
