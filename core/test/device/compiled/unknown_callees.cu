// Virtual calls whose object only the running thread knows: where none of the known functions is meant, the launch stops with
// a message. Without optimisation the code for that stays.
#include "core/test/device/kernel.h"

struct Shape {
  __device__ virtual double area(double x) const { return x; }
};
struct Square : Shape {
  __device__ double area(double x) const override { return x * x; }
};
struct Disc : Shape {
  double factor;
  __device__ Disc(double factor) : factor(factor) {}
  __device__ double area(double x) const override { return factor * x * x; }
};

__device__ void body(const double *x, double *y, int n) {
  const int i = GI;
  const Square square;
  const Disc disc(x[i]);
  const Shape *shape = i % 2 ? (const Shape *)&square : &disc;
  y[i] = shape->area(x[(i + 1) % n]);
}
KERNELS(double)
