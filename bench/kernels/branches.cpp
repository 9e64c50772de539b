// A branch on the data in every iteration, with different mathematics on either side.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

#include <cmath>

namespace assay::bench {

namespace {

constexpr int count = 1024;

double value(const double *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    if (x[i] > 0)
      sum += std::sqrt(x[i] + 1) * sum * 1e-3 + x[i];
    else
      sum += std::sin(x[i]) * x[i];
  }
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

Kernel branches() {
  return {"branches", count, 0, -1, 1, primal, gradient, forward};
}

} // namespace assay::bench
