// A polynomial by Horner's rule: a chain in which every partial sum is needed again.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

namespace assay::bench {

namespace {

constexpr int coefficients = 1024;

/// x[0] is the argument.
double value(const double *x) {
  double sum = 0;
  for (int i = coefficients; i > 0; --i)
    sum = sum * x[0] + x[i];
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

Kernel horner() {
  return {"horner", coefficients + 1, 0, 0.1, 0.9, primal, gradient, forward};
}

} // namespace assay::bench
