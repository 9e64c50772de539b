// autodiff_deferred: functions, function objects and lambdas, in all modes.
#include "core/test/device/kernel.h"
// clang-format off
#include <assay/gpu.hpp>
// clang-format on

using namespace assay;
__device__ double sq(double x, double y) {
  return x * x * __nv_sin(y);
}
__device__ void body(const double *x, double *y, int n) {
  int i = tid_x + ntid_x * ctaid_x;
  if (i < n)
    y[i] = sq(x[i], x[(i + 1) % n]);
}
struct Scale {
  double k;
  __device__ double operator()(double x) const { return k * x * x; }
};
extern "C" __global__ void prim(const double *x, double *y, int n) {
  body(x, y, n);
}
extern "C" __global__ void grad(const double *x, double *dx, double *y, double *dy, int n) {
  autodiff_deferred<Reverse>(body, Duplicated{x, dx}, Duplicated{y, dy}, Const{n});
}
extern "C" __global__ void fwd(const double *x, double *dx, double *y, double *dy, int n) {
  autodiff_deferred<Forward>(body, Duplicated{x, dx}, Duplicated{y, dy}, Const{n});
}
extern "C" __global__ void misc(double *o) {
  auto r = autodiff_deferred<ReverseWithPrimal>(sq, Active{2.0}, Active{3.0});
  o[0] = r.primal;
  o[1] = std::get<0>(r.gradient);
  o[2] = std::get<1>(r.gradient);
  auto t = autodiff_deferred<ForwardWithPrimal>(sq, Duplicated{2.0, 1.0}, Const{3.0});
  o[3] = t.primal;
  o[4] = t.derivative;
  Scale s{5};
  double x = 3, dx = 0;
  autodiff_deferred<Reverse>(s, Duplicated{x, dx});
  o[5] = dx;
  double k = 7;
  auto l = [&](double v) { return k * v * v * v; };
  auto g = autodiff_deferred<Reverse>(l, Active{2.0});
  o[6] = std::get<0>(g.gradient);
  auto b = autodiff_deferred<Forward>(sq, BatchDuplicated{2.0, std::array{1.0, 0.0}},
                                      BatchDuplicated{3.0, std::array{0.0, 1.0}});
  o[7] = b.derivative[0];
  o[8] = b.derivative[1];
}
/// A function object with a shadow, whose members get adjoints; the results are those of the arguments alone.
struct Line {
  double slope, height;
  __device__ double operator()(double x) const { return slope * x * x + height; }
};
extern "C" __global__ void annotated(double *o) {
  Line line{2, 5}, adjoint{0, 0}, tangent{1, 0.5};
  auto r = autodiff_deferred<ReverseWithPrimal>(Duplicated{line, adjoint}, Active{3.0});
  o[0] = r.primal;
  o[1] = std::get<0>(r.gradient);
  o[2] = adjoint.slope;
  o[3] = adjoint.height;
  o[4] = std::get<0>(autodiff_deferred<Reverse>(Const{line}, Active{3.0}).gradient);
  o[5] = autodiff_deferred<Forward>(Duplicated{line, tangent}, Duplicated{3.0, 1.0}).derivative;
}
