// Potential energy of bodies of equal mass: all pairs, with a square root and a quotient each.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

#include <cmath>

namespace assay::bench {

namespace {

constexpr int bodies = 64;

double value(const double *position) {
  double energy = 0;
  for (int i = 0; i < bodies; ++i)
    for (int j = i + 1; j < bodies; ++j) {
      double squared = 1e-2;
      for (int axis = 0; axis < 3; ++axis) {
        const double distance = position[3 * i + axis] - position[3 * j + axis];
        squared += distance * distance;
      }
      energy -= 1 / std::sqrt(squared);
    }
  return energy;
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

Kernel n_body() {
  return {"n_body", 3 * bodies, 0, -2, 2, primal, gradient, forward};
}

} // namespace assay::bench
