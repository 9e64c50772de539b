// Loads by which lanes of a warp mean one place: a parameter that all read, a row of a tile that some read, and a column.
// Sums are made by whole warps.
#include "core/test/device/kernel.h"

__device__ void body(const double *x, double *y, int n) {
  __shared__ double tile[64];
  const int t = tid_x, row = t / 8, column = t % 8;
  tile[t] = x[GI] * x[GI];
  __syncthreads();
  double sum = x[0] * x[ctaid_x + 3];
  for (int k = 0; k < 8; ++k)
    sum += tile[row * 8 + k] * tile[k * 8 + column] * x[k];
  y[GI] = sum * x[row];
}
KERNELS(double)
