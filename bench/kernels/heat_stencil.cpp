// Steps of a heat equation in place: every value is overwritten, and read by its neighbours before and after.
#include "examples/heat_stencil.c"
#include "bench/kernel_of.hpp"

#include <algorithm>
#include <numeric>

namespace assay::bench {

namespace {

constexpr int points = 256;
constexpr int steps = 40;
constexpr double rate = 0.1;

/// The sum of all temperatures at the end.
double primal(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  heat_steps(problem.scratch.data(), points, steps, rate);
  return std::accumulate(problem.scratch.begin(), problem.scratch.end(), 0.0);
}

void gradient(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  std::fill_n(problem.scratch_shadow.begin(), points, 1.0);
  __enzyme_autodiff<void>(reinterpret_cast<void *>(heat_steps), enzyme_dup, problem.scratch.data(),
                          problem.scratch_shadow.data(), enzyme_const, points, enzyme_const, steps, enzyme_const, rate);
  std::transform(problem.gradient.begin(), problem.gradient.end(), problem.scratch_shadow.begin(),
                 problem.gradient.begin(), std::plus<>());
}

double forward(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  std::copy(problem.direction.begin(), problem.direction.end(), problem.scratch_shadow.begin());
  __enzyme_fwddiff<void>(reinterpret_cast<void *>(heat_steps), enzyme_dup, problem.scratch.data(),
                         problem.scratch_shadow.data(), enzyme_const, points, enzyme_const, steps, enzyme_const, rate);
  return std::accumulate(problem.scratch_shadow.begin(), problem.scratch_shadow.begin() + points, 0.0);
}

} // namespace

Kernel heat_stencil() {
  return kernel_of<primal, gradient, forward>({"heat_stencil", points, points, 0.1, 0.9});
}

} // namespace assay::bench
