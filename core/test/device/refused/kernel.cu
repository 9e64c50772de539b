// EXPECT: the kernel '.*' is differentiated as if it were called.*move its body to a __device__ function
#include "core/test/device/kernel.h"

__global__ void square(const double *x, double *y, int) {
  y[tid_x] = x[tid_x] * x[tid_x];
}
__global__ void derivative(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff<void>((void *)square, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
