// A loop over the grid with structs in shared memory, constant memory, and barriers in an inner loop.
#include "core/test/device/kernel.h"

__constant__ double w[4] = {1, 2, 3, 4};
struct Cell {
  double a;
  float b;
  int c;
};
__device__ void body(const double *x, double *y, int n) {
  __shared__ Cell cells[64];
  int t = tid_x;
  for (int i = GI; i < n; i += ntid_x * nctaid_x) {
    double l[4];
    for (int k = 0; k < 4; ++k)
      l[k] = x[(i + k) % n] * w[k];
    cells[t].a = l[0] * l[1];
    cells[t].b = 2;
    cells[t].c = i;
    __syncthreads();
    Cell c = cells[63 - t];
    double z = c.a * c.b * l[2];
    int j = 0;
    while (true) {
      z = z * 0.5 + x[j];
      if (++j > 3 + (int)ctaid_x)
        break;
      __syncthreads();
    }
    __syncthreads();
    y[i] = z * l[c.c & 3];
  }
}
KERNELS(double)
