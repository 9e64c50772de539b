// The forms of the convention: split derivatives, several shadows, run-time activity, half precision, second order.
#include "core/test/device/kernel.h"

__device__ double f(const double *x, int n) {
  double s = 1;
  for (int k = 0; k < n; ++k)
    s = __nv_sin(s * x[k]) + x[k];
  return s;
}
extern "C" __global__ void split(const double *x, double *dx, double *o) {
  void *tape = __enzyme_augmentfwd<void *>((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  __enzyme_reverse<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 5, 2.0, tape);
}
__device__ void g(const double *x, double *y) {
  y[tid_x] = x[tid_x] * x[0];
}
extern "C" __global__ void wide(const double *x, double *dx0, double *dx1, double *y, double *dy0, double *dy1) {
  __enzyme_autodiff<void>((void *)g, enzyme_width, 2, enzyme_dup, x, dx0, dx1, enzyme_dup, y, dy0, dy1);
}
extern "C" __global__ void ra(const double *x, double *y, double *dy) {
  __enzyme_autodiff<void>((void *)g, enzyme_runtime_activity, enzyme_dup, x, x, enzyme_dup, y, dy);
}
__device__ void hh(const _Float16 *x, _Float16 *y) {
  y[tid_x] = x[tid_x] * x[0] + (_Float16)__nv_sinf((float)x[1]);
}
extern "C" __global__ void half(const _Float16 *x, _Float16 *dx, _Float16 *y, _Float16 *dy) {
  __enzyme_autodiff<void>((void *)hh, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
__device__ double sq(double x) {
  return x * x * x;
}
__device__ double dsq(double x) {
  return __enzyme_autodiff<double>((void *)sq, x);
}
extern "C" __global__ void second(double *o) {
  o[0] = __enzyme_autodiff<double>((void *)dsq, 3.0);
  o[1] = __enzyme_fwddiff<double>((void *)dsq, 3.0, 1.0);
}
