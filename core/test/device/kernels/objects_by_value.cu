// An object that is passed by value and declared constant stands in for the neighbour that the last thread has not.
#include "core/test/device/kernel.h"

struct Place {
  double x, y;
};

__device__ void object_or_neighbour(const Place *places, double *y, Place end, int n) {
  int i = GI;
  const Place here = places[i / 2], next = i + 2 < n ? places[i / 2 + 1] : end;
  y[i] = here.x * next.y - here.y * __nv_sin(next.x);
}
extern "C" __global__ void prim(const double *x, double *y, int n) {
  object_or_neighbour((const Place *)x, y, Place{0.5, 2}, n);
}
extern "C" __global__ void grad(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff<void>((void *)object_or_neighbour, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const,
                          Place{0.5, 2}, enzyme_const, n);
}
extern "C" __global__ void fwd(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_fwddiff<void>((void *)object_or_neighbour, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, Place{0.5, 2},
                         enzyme_const, n);
}
