// Steps of a heat equation in place: every value is overwritten, and read by its neighbours before and after.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

#include <algorithm>

namespace assay::bench {

namespace {

constexpr int points = 256;
constexpr int steps = 40;

/// Temperatures, then the conductivity at the points.
double value(double *u) {
  const double *conductivity = u + points;
  for (int step = 0; step < steps; ++step)
    for (int i = 1; i + 1 < points; ++i)
      u[i] += conductivity[i] * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
  double sum = 0;
  for (int i = 0; i < points; ++i)
    sum += u[i] * u[i];
  return sum;
}

double primal(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  return value(problem.scratch.data());
}

#ifndef ASSAY_BENCH_PRIMAL_ONLY
void gradient(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  std::fill(problem.scratch_shadow.begin(), problem.scratch_shadow.end(), 0.0);
  __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.scratch.data(),
                          problem.scratch_shadow.data());
  for (std::size_t i = 0; i < problem.gradient.size(); ++i)
    problem.gradient[i] += problem.scratch_shadow[i];
}

double forward(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  std::copy(problem.direction.begin(), problem.direction.end(), problem.scratch_shadow.begin());
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.scratch.data(),
                                  problem.scratch_shadow.data());
}
#else
void gradient(Problem &) {}
double forward(Problem &) {
  return 0;
}
#endif

} // namespace

Kernel heat_stencil() {
  return {"heat_stencil", 2 * points, 2 * points, 0.1, 0.3, primal, gradient, forward};
}

} // namespace assay::bench
