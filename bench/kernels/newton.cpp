// Kepler's equation by Newton's method: loops whose number of steps depends on the data.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"
#include "examples/newton_kepler.c"

namespace assay::bench {

namespace {

constexpr int count = 256;

/// Mean anomaly and eccentricity of every planet, alternating.
double value(const double *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += eccentric_anomaly(x[2 * i], x[2 * i + 1]);
  return sum;
}

double primal(Problem &problem) {
  return value(problem.input.data());
}

#ifndef ASSAY_BENCH_PRIMAL_ONLY
void gradient(Problem &problem) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(), problem.gradient.data());
}

double forward(Problem &problem) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(),
                                  problem.direction.data());
}
#else
void gradient(Problem &) {}
double forward(Problem &) {
  return 0;
}
#endif

} // namespace

Kernel newton() {
  return {"newton", 2 * count, 0, 0.1, 0.6, primal, gradient, forward};
}

} // namespace assay::bench
