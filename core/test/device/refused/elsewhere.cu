// EXPECT: the function 'elsewhere' has no body and no rule
#include "core/test/device/kernel.h"

// With -fgpu-rdc it may be defined in another file.
extern "C" __device__ double elsewhere(double x);
__device__ void body(const double *x, double *y, int) {
  y[tid_x] = elsewhere(x[tid_x]);
}
KERNELS(double)
