// The least work per number read: whatever the derivative does more than needed shows here.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

namespace assay::bench {

namespace {

constexpr int count = 4096;

double value(const double *x) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += x[i] * x[i];
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

Kernel sum_of_squares() {
  return {"sum_of_squares", count, 0, -2, 2, primal, gradient, forward};
}

} // namespace assay::bench
