// Lengths of vectors of any number of components.
#include "core/test/device/kernel.h"

extern "C" __device__ double __nv_norm(int, const double *);
extern "C" __device__ double __nv_rnorm(int, const double *);

__device__ void body(const double *x, double *y, int n) {
  const int i = GI, length = i % 5;
  if (i + 8 >= n)
    return;
  const double own[3] = {x[i] * x[i], x[i + 1], 2 * x[i + 2]};
  y[i] = __nv_norm(length, x + i) * x[i] + __nv_rnorm(1 + length, x + i + 3) + __nv_norm(3, own);
}
KERNELS(double)
