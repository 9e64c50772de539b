// The Rosenbrock function of many variables: each is read by two terms.
#include "examples/rosenbrock.c"
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

namespace assay::bench {

namespace {

int size(const Problem &problem) {
  return static_cast<int>(problem.input.size());
}

double primal(Problem &problem) {
  return ::rosenbrock(problem.input.data(), size(problem));
}

#ifndef ASSAY_BENCH_PRIMAL_ONLY
void gradient(Problem &problem) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(::rosenbrock), enzyme_dup, problem.input.data(),
                          problem.gradient.data(), enzyme_const, size(problem));
}

double forward(Problem &problem) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(::rosenbrock), enzyme_dup, problem.input.data(),
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
