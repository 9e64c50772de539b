// A dense layer, tanh and the squared error: weights, biases and inputs are all active, and the layer's output lives on
// the heap.
#include "examples/dense_layer.cpp"
#include "bench/kernel_of.hpp"

namespace assay::bench {

namespace {

constexpr int inputs = 64;
constexpr int outputs = 64;
constexpr int weights = inputs * outputs;

/// Where the parts of the input are, in this order.
template <class Vector>
auto *bias_of(Vector &all) {
  return all.data() + weights;
}
template <class Vector>
auto *input_of(Vector &all) {
  return bias_of(all) + outputs;
}
template <class Vector>
auto *target_of(Vector &all) {
  return input_of(all) + inputs;
}

double primal(Problem &problem) {
  return network::squared_loss(problem.input.data(), bias_of(problem.input), input_of(problem.input),
                               target_of(problem.input), inputs, outputs);
}

void gradient(Problem &problem) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(network::squared_loss), enzyme_dup, problem.input.data(),
                          problem.gradient.data(), enzyme_dup, bias_of(problem.input), bias_of(problem.gradient),
                          enzyme_dup, input_of(problem.input), input_of(problem.gradient), enzyme_dup,
                          target_of(problem.input), target_of(problem.gradient), enzyme_const, inputs, enzyme_const,
                          outputs);
}

double forward(Problem &problem) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(network::squared_loss), enzyme_dup, problem.input.data(),
                                  problem.direction.data(), enzyme_dup, bias_of(problem.input),
                                  bias_of(problem.direction), enzyme_dup, input_of(problem.input),
                                  input_of(problem.direction), enzyme_dup, target_of(problem.input),
                                  target_of(problem.direction), enzyme_const, inputs, enzyme_const, outputs);
}

} // namespace

Kernel dense_layer() {
  return kernel_of<primal, gradient, forward>({"dense_layer", weights + outputs + inputs + outputs, 0, -0.2, 0.2});
}

} // namespace assay::bench
