// A fast wrong derivative is worth nothing: before anything is measured, every kernel's derivatives are compared.
#include "bench/problem.hpp"

#include <assay/fdm.hpp>
#include <assay/generators/stream.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay::bench {

Problem make_problem(const Kernel &kernel) {
  gen::Stream inputs({.seed = 1, .suite = "bench", .name = kernel.name, .purpose = "input"});
  gen::Stream tangents({.seed = 1, .suite = "bench", .name = kernel.name, .purpose = "direction"});
  Problem problem;
  for (std::size_t i = 0; i < kernel.inputs; ++i) {
    problem.input.push_back(kernel.lower + (kernel.upper - kernel.lower) * inputs.uniform());
    problem.direction.push_back(tangents.tangent());
  }
  problem.directions[0] = problem.direction;
  for (std::size_t lane = 1; lane < most_lanes; ++lane)
    for (std::size_t i = 0; i < kernel.inputs; ++i)
      problem.directions[lane].push_back(tangents.tangent());
  problem.gradient.assign(kernel.inputs, 0);
  problem.scratch.assign(kernel.scratch, 0);
  problem.scratch_shadow.assign(most_lanes * kernel.scratch, 0);
  gen::Stream data({.seed = 1, .suite = "bench", .name = kernel.name, .purpose = "data"});
  for (std::size_t i = 0; i < kernel.data; ++i)
    problem.data.push_back(data.uniform());
  problem.sizes = kernel.sizes;
  return problem;
}

namespace {

struct Truth {
  double value, tolerance;
};

/// The derivative along a direction by finite differences.
Truth truth_along(const Kernel &kernel, const Problem &problem, const std::vector<double> &direction) {
  const auto at = [&](std::span<const double> x) {
    Problem moved = problem;
    std::copy(x.begin(), x.end(), moved.input.begin());
    return kernel.primal(moved);
  };
  const auto estimate = fdm::directional<double>(fdm::central_fdm(5, 1), at, problem.input, direction);
  return {estimate.value, estimate.error + 1e-9 * std::fabs(estimate.value)};
}

double along(const std::vector<double> &gradient, const std::vector<double> &direction) {
  return std::inner_product(gradient.begin(), gradient.end(), direction.begin(), 0.0);
}

/// The first lane that differs from the gradient; `count` when none does.
std::size_t wrong_lane(const Problem &problem, const Tangents &tangents, std::size_t count) {
  std::size_t lane = 0;
  const auto agrees = [&] {
    const double expected = along(problem.gradient, problem.directions[lane]);
    return std::fabs(tangents[lane] - expected) <= 1e-8 * (1 + std::fabs(expected));
  };
  while (lane < count && agrees())
    ++lane;
  return lane;
}

} // namespace

std::string disagreement(const Kernel &kernel) {
  Problem problem = make_problem(kernel);
  const Truth truth = truth_along(kernel, problem, problem.direction);
  const double forward = kernel.forward(problem);
  kernel.gradient(problem);
  const double reverse = along(problem.gradient, problem.direction);
  if (!(std::fabs(forward - truth.value) <= truth.tolerance && std::fabs(reverse - truth.value) <= truth.tolerance))
    return fmt::format("{}: forward {:.15g}, reverse {:.15g}, finite difference {:.15g} within {:.2g}", kernel.name,
                       forward, reverse, truth.value, truth.tolerance);
  for (const auto &[run, width] : {std::pair(kernel.forward4, 4), std::pair(kernel.forward8, 8)})
    if (const std::size_t lane = run ? wrong_lane(problem, run(problem), width) : width; lane < std::size_t(width))
      return fmt::format("{}: lane {} of {}", kernel.name, lane, width);
  return {};
}

} // namespace assay::bench
