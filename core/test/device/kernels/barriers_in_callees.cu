// Barriers in functions that are called, and a return that is the same for the whole block.
#include "core/test/device/kernel.h"

struct P {
  double a, b;
};
__device__ __attribute__((noinline)) void wait() {
  __syncthreads();
}
__device__ __attribute__((noinline)) double share(double *s, double v) {
  int t = tid_x;
  s[t] = v;
  wait();
  double r = s[63 - t] * v;
  wait();
  return r;
}
__device__ void body(const double *x, double *y, int n) {
  __shared__ double s[64];
  int i = GI;
  double v = share(s, x[i]);
  P p[4];
  for (int k = 0; k < 4; ++k) {
    p[k].a = v * k;
    p[k].b = x[k];
  }
  double q = 0;
  for (int k = 0; k < 4; ++k)
    q += p[(k + i) % 4].a * p[k].b;
  if (ctaid_x == 2) {
    y[i] = q;
    return;
  }
  y[i] = share(s, q) * q;
}
KERNELS(double)
