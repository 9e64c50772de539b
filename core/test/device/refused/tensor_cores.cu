// EXPECT: products of matrices on tensor cores have no derivative
#include "core/test/device/kernel.h"

// Products of matrices that lie in the registers of a warp: a store without a result of its own.
__device__ void body(const double *x, double *y, int n) {
  double a = 0, b = 0, c[2] = {0, 0}, d[2];
  __dmma_m8n8k4_ld_a(&a, x, 4, 0);
  __dmma_m8n8k4_ld_b(&b, x + 32, 4, 1);
  __dmma_m8n8k4_mma_f64(d, &a, &b, c, 1, 0);
  __dmma_m8n8k4_st_c_f64(y, d, 8, 0);
}
KERNELS(double)
