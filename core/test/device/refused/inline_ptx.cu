// EXPECT: inline assembly in active code
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int) {
  double r;
  asm("copysign.f64 %0, %1, %1;" : "=d"(r) : "d"(x[tid_x]));
  y[tid_x] = r;
}
KERNELS(double)
