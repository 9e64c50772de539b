// A dense layer, tanh and the squared error: weights, biases and inputs are all active.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

#include <cmath>

namespace assay::bench {

namespace {

constexpr int inputs = 64;
constexpr int outputs = 64;
constexpr int weights = inputs * outputs;

/// parameters: weights row by row, then biases, then inputs.
double value(const double *parameters) {
  const double *bias = parameters + weights;
  const double *x = bias + outputs;
  double loss = 0;
  for (int row = 0; row < outputs; ++row) {
    double sum = bias[row];
    for (int column = 0; column < inputs; ++column)
      sum += parameters[row * inputs + column] * x[column];
    const double miss = std::tanh(sum) - 0.5;
    loss += miss * miss;
  }
  return loss;
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

Kernel dense_layer() {
  return {"dense_layer", weights + outputs + inputs, 0, -0.2, 0.2, primal, gradient, forward};
}

} // namespace assay::bench
