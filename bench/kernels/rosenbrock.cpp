// The Rosenbrock function of many variables: each is read by two terms.
#include "examples/rosenbrock.c"
#include "bench/kernel_of.hpp"

namespace assay::bench {

namespace {

int size(const Problem &problem) {
  return static_cast<int>(problem.input.size());
}

double primal(Problem &problem) {
  return ::rosenbrock(problem.input.data(), size(problem));
}

void gradient(Problem &problem) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(::rosenbrock), enzyme_dup, problem.input.data(),
                          problem.gradient.data(), enzyme_const, size(problem));
}

double forward(Problem &problem) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(::rosenbrock), enzyme_dup, problem.input.data(),
                                  problem.direction.data(), enzyme_const, size(problem));
}

} // namespace

Kernel rosenbrock() {
  return kernel_of<primal, gradient, forward>({"rosenbrock", 1000, 0, -1.5, 1.5});
}

} // namespace assay::bench
