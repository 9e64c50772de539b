// Explicit Euler steps of a reaction with diffusion of two species (Brusselator), in two buffers that swap.
#include "bench/kernel_of.hpp"

#include <algorithm>

namespace assay::bench {

namespace {

constexpr int points = 128;
constexpr int steps = 20;
constexpr double time_step = 1e-3;

void advance(const double *u, const double *v, double *next_u, double *next_v) {
  for (int i = 0; i < points; ++i) {
    const int left = i == 0 ? points - 1 : i - 1;
    const int right = i == points - 1 ? 0 : i + 1;
    const double reaction = u[i] * u[i] * v[i];
    next_u[i] = u[i] + time_step * (1 + reaction - 4.4 * u[i] + 10 * (u[left] - 2 * u[i] + u[right]));
    next_v[i] = v[i] + time_step * (3.4 * u[i] - reaction + 10 * (v[left] - 2 * v[i] + v[right]));
  }
}

/// Two pairs of fields, one after the other.
double value(double *fields) {
  double *now = fields;
  double *next = fields + 2 * points;
  for (int step = 0; step < steps; ++step) {
    advance(now, now + points, next, next + points);
    std::swap(now, next);
  }
  double sum = 0;
  for (int i = 0; i < 2 * points; ++i)
    sum += now[i] * now[i];
  return sum;
}

double primal(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  return value(problem.scratch.data());
}

void gradient(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  std::fill(problem.scratch_shadow.begin(), problem.scratch_shadow.end(), 0.0);
  __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.scratch.data(),
                          problem.scratch_shadow.data());
  for (std::size_t i = 0; i < problem.gradient.size(); ++i)
    problem.gradient[i] += problem.scratch_shadow[i];
}

double forward(Problem &problem) {
  std::copy(problem.input.begin(), problem.input.end(), problem.scratch.begin());
  std::copy(problem.direction.begin(), problem.direction.end(), problem.scratch_shadow.begin());
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.scratch.data(),
                                  problem.scratch_shadow.data());
}

} // namespace

Kernel reaction_steps() {
  return kernel_of<primal, gradient, forward>({"reaction_steps", 4 * points, 4 * points, 0.5, 1.5});
}

} // namespace assay::bench
