// What makes a kernel of functions: of a function of the input alone, or of a primal with derivatives written out.
#pragma once

#include "bench/convention.hpp"
#include "bench/kernel.hpp"

namespace assay::bench {

/// A kernel with derivatives written out. Where only primals are compiled, to compare compile times, nothing refers to
/// the derivatives, so that the compiler leaves them out.
template <double (*primal)(Problem &), void (*gradient)(Problem &), double (*forward)(Problem &)>
Kernel kernel_of(const Setup &setup) {
#ifdef ASSAY_BENCH_PRIMAL_ONLY
  return {setup, primal, nullptr, nullptr};
#else
  return {setup, primal, gradient, forward};
#endif
}

template <double (*value)(const double *)>
struct FunctionOfInput {
  static double primal(Problem &problem) { return value(problem.input.data()); }
  static void gradient(Problem &problem) {
    __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(), problem.gradient.data());
  }
  static double forward(Problem &problem) {
    return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(),
                                    problem.direction.data());
  }
};

/// A kernel that is a function of the input alone.
template <double (*value)(const double *)>
Kernel kernel_of(const Setup &setup) {
  using Functions = FunctionOfInput<value>;
  return kernel_of<Functions::primal, Functions::gradient, Functions::forward>(setup);
}

} // namespace assay::bench
