// A multilayer perceptron on std::vector: every layer returns a new vector.
#include "bench/kernel_of.hpp"

#include <cmath>
#include <vector>

namespace assay::bench {

namespace {

std::vector<double> layer(const double *weights, const std::vector<double> &input, std::size_t outputs) {
  std::vector<double> result(outputs);
  const double *bias = weights + outputs * input.size();
  for (std::size_t i = 0; i < outputs; ++i) {
    double sum = bias[i];
    for (std::size_t j = 0; j < input.size(); ++j)
      sum += weights[i * input.size() + j] * input[j];
    result[i] = std::tanh(sum);
  }
  return result;
}

/// Layers of equal width, for every sample of a batch.
double value(const double *weights, const double *samples, int count, int width, int layers) {
  double loss = 0;
  for (int sample = 0; sample < count; ++sample) {
    std::vector<double> state(samples + sample * width, samples + (sample + 1) * width);
    for (int i = 0; i < layers; ++i)
      state = layer(weights + i * width * (width + 1), state, width);
    for (double x : state)
      loss += (x - 0.3) * (x - 0.3);
  }
  return loss;
}

constexpr int count = 8;
constexpr int width = 24;
constexpr int layers = 3;

} // namespace

Kernel perceptron() {
  return kernel_of<value>(
      {"perceptron", layers * width * (width + 1), 0, -0.4, 0.4, count * width, {count, width, layers}});
}

} // namespace assay::bench
