// A fast wrong derivative is worth nothing: before anything is measured, every kernel's derivatives are compared.
#include "bench/problem.hpp"

#include <assay/fdm.hpp>
#include <assay/generators/stream.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::bench {

Problem make_problem(const Kernel &kernel) {
  gen::Stream inputs({.seed = 1, .suite = "bench", .name = kernel.name, .purpose = "input"});
  gen::Stream tangents({.seed = 1, .suite = "bench", .name = kernel.name, .purpose = "direction"});
  Problem problem;
  for (std::size_t i = 0; i < kernel.inputs; ++i) {
    problem.input.push_back(kernel.lower + (kernel.upper - kernel.lower) * inputs.uniform());
    problem.direction.push_back(tangents.tangent());
  }
  problem.gradient.assign(kernel.inputs, 0);
  problem.scratch.assign(kernel.scratch, 0);
  problem.scratch_shadow.assign(kernel.scratch, 0);
  return problem;
}

std::string disagreement(const Kernel &kernel) {
  Problem problem = make_problem(kernel);
  const auto at = [&](std::span<const double> x) {
    Problem moved = problem;
    std::copy(x.begin(), x.end(), moved.input.begin());
    return kernel.primal(moved);
  };
  const auto truth = fdm::directional<double>(fdm::central_fdm(5, 1), at, problem.input, problem.direction);
  const double forward = kernel.forward(problem);
  kernel.gradient(problem);
  const double reverse =
      std::inner_product(problem.gradient.begin(), problem.gradient.end(), problem.direction.begin(), 0.0);
  const double tolerance = truth.error + 1e-9 * std::fabs(truth.value);
  if (std::fabs(forward - truth.value) <= tolerance && std::fabs(reverse - truth.value) <= tolerance)
    return {};
  return fmt::format("{}: forward {:.15g}, reverse {:.15g}, finite difference {:.15g} within {:.2g}", kernel.name,
                     forward, reverse, truth.value, tolerance);
}

} // namespace assay::bench
