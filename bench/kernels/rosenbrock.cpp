// The Rosenbrock function of many variables: each is read by two terms.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

namespace assay::bench {

namespace {

double value(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) {
    const double valley = x[i + 1] - x[i] * x[i];
    const double slope = 1 - x[i];
    sum += 100 * valley * valley + slope * slope;
  }
  return sum;
}

int size(const Problem &problem) {
  return static_cast<int>(problem.input.size());
}

double primal(Problem &problem) {
  return value(problem.input.data(), size(problem));
}

#ifndef ASSAY_BENCH_PRIMAL_ONLY
void gradient(Problem &problem) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(), problem.gradient.data(),
                          enzyme_const, size(problem));
}

double forward(Problem &problem) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(),
                                  problem.direction.data(), enzyme_const, size(problem));
}
#else
void gradient(Problem &) {}
double forward(Problem &) {
  return 0;
}
#endif

} // namespace

Kernel rosenbrock() {
  return {"rosenbrock", 1000, 0, -1.5, 1.5, primal, gradient, forward};
}

} // namespace assay::bench
