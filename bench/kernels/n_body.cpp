// Energy of bodies: all pairs, with a square root and a quotient each.
#include "examples/n_body.cpp"
#include "bench/kernel_of.hpp"

namespace assay::bench {

namespace {

constexpr int bodies = 64;

/// Positions, velocities and masses, one after the other.
template <class Vector>
auto *velocities_of(Vector &all) {
  return all.data() + 3 * bodies;
}
template <class Vector>
auto *masses_of(Vector &all) {
  return velocities_of(all) + 3 * bodies;
}

double primal(Problem &problem) {
  return energy(problem.input.data(), velocities_of(problem.input), masses_of(problem.input), bodies);
}

void gradient(Problem &problem) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(energy), enzyme_dup, problem.input.data(), problem.gradient.data(),
                          enzyme_dup, velocities_of(problem.input), velocities_of(problem.gradient), enzyme_dup,
                          masses_of(problem.input), masses_of(problem.gradient), enzyme_const, bodies);
}

double forward(Problem &problem) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(energy), enzyme_dup, problem.input.data(),
                                  problem.direction.data(), enzyme_dup, velocities_of(problem.input),
                                  velocities_of(problem.direction), enzyme_dup, masses_of(problem.input),
                                  masses_of(problem.direction), enzyme_const, bodies);
}

} // namespace

Kernel n_body() {
  return kernel_of<primal, gradient, forward>({"n_body", 7 * bodies, 0, -2, 2});
}

} // namespace assay::bench
