// Kepler's equation by Newton's method: loops whose number of steps depends on the data.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

#include <cmath>

namespace assay::bench {

namespace {

constexpr int count = 256;

/// The eccentric anomaly E with  E - e sin E = mean.
double solve(double mean, double eccentricity) {
  double anomaly = mean;
  double residual = anomaly - eccentricity * std::sin(anomaly) - mean;
  while (std::fabs(residual) > 1e-13) {
    anomaly -= residual / (1 - eccentricity * std::cos(anomaly));
    residual = anomaly - eccentricity * std::sin(anomaly) - mean;
  }
  return anomaly;
}

double value(const double *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += solve(x[2 * i], x[2 * i + 1]);
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
  return {"newton", 2 * count, 0, 0.1, 0.8, primal, gradient, forward};
}

} // namespace assay::bench
