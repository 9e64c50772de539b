// Memory of the heap of the device, virtual calls on objects of the thread.
#include "core/test/device/kernel.h"

struct Base {
  __device__ virtual double f(double) const = 0;
};
struct A : Base {
  double k;
  __device__ A(double k) : k(k) {}
  __device__ double f(double x) const override { return k * x * x; }
};
struct B : Base {
  __device__ double f(double x) const override { return __nv_sin(x); }
};
__device__ void body(const double *x, double *y, int n) {
  int i = GI;
  int m = i % 5 + 1;
  double *t = (double *)malloc(m * sizeof(double));
  for (int k = 0; k < m; ++k)
    t[k] = x[(i + k) % n] * x[i];
  A a(x[i]);
  B b;
  const Base *o = i & 1 ? (const Base *)&a : &b;
  double s = 0;
  for (int k = 0; k < m; ++k)
    s += o->f(t[k]);
  free(t);
  y[i] = s;
}
KERNELS(double)
