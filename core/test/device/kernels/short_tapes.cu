// Loops of which nothing is kept in memory of the device's heap: functions of the library are computed again, a loop
// that halves a number has few iterations, a store behind the loops is undone while what it may have overwritten is
// read again, and a counter that goes on by the number of threads follows from the iteration.
#include "core/test/device/kernel.h"

extern "C" __device__ double __nv_exp(double);
__device__ void body(const double *x, double *y, int n) {
  int i = GI;
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    for (int j = 0; j < n / 32; ++j)
      sum += __nv_exp(-x[j]) * __nv_sin(x[(j * 7 + i) % n]) * 0.1;
  for (int half = n / 2; half > 0; half /= 2)
    sum = __nv_sin(sum) + x[half];
  for (int j = i; j < n; j += ntid_x * nctaid_x)
    sum += x[j] * x[j];
  y[i] = sum + y[i];
}
KERNELS(double)
