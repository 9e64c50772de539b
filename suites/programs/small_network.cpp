// A network of three layers with parameters in one array: where the optimiser unrolls its loops by two, indices become
// sums of a phi and a constant that look like pieces of a word put together.
#include "support/second_order.hpp"
#include "support/vector_program.hpp"
#include <cmath>
#include <cstdlib>

namespace {

struct Layer {
  int in, out;
  double *weights, *biases, *values;
  double (*activation)(double);
};
double leaky(double v) {
  return v > 0 ? v : 0.01 * v;
}
double sigmoid(double v) {
  return 1 / (1 + std::exp(-v));
}
double hyperbolic(double v) {
  return std::tanh(v);
}
double *forward(Layer *layer, const double *in) {
  for (int i = 0; i < layer->out; ++i) {
    double sum = layer->biases[i];
    for (int k = 0; k < layer->in; ++k)
      sum += layer->weights[i * layer->in + k] * in[k];
    layer->values[i] = layer->activation(sum);
  }
  return layer->values;
}
double loss(const double *x, int n) {
  Layer layers[3];
  const int sizes[4] = {2, 3, 3, 2};
  double (*activations[3])(double) = {leaky, sigmoid, hyperbolic};
  int next = 0;
  auto *store = static_cast<double *>(std::malloc(sizeof(double) * 100)), *top = store;
  for (int l = 0; l < 3; ++l) {
    layers[l].in = sizes[l];
    layers[l].out = sizes[l + 1];
    layers[l].weights = top;
    for (int i = 0; i < sizes[l] * sizes[l + 1]; ++i)
      *top++ = x[next++ % n] * (1 + 0.1 * i);
    layers[l].biases = top;
    for (int i = 0; i < sizes[l + 1]; ++i)
      *top++ = x[next++ % n];
    layers[l].values = top;
    top += sizes[l + 1];
    layers[l].activation = activations[l];
  }
  double sum = 0;
  for (int s = 0; s < 4; ++s) {
    const double in[2] = {double(s & 1), double(s >> 1)};
    const double *out = in;
    for (auto &layer : layers)
      out = forward(&layer, out);
    const double most = std::fmax(out[0], out[1]);
    sum -= out[s == 1 || s == 2] - most - std::log(std::exp(out[0] - most) + std::exp(out[1] - most));
  }
  std::free(store);
  return sum;
}

} // namespace

PLUGIN_TEST(SmallNetwork, HasBothDerivatives) {
  CHECK_FUNCTION(loss, 0.31, -0.7, 0.45, 0.82, -0.63);
  CHECK_SECOND_ORDER(loss, 0.31, -0.7, 0.45, 0.82, -0.63);
}
