// One dense layer with a tanh, and two losses on top: the inner loop of a neural network.
//
// Four arrays can be active or constant independently of each other (training differentiates by weights and bias,
// adversarial examples by the input), and every combination of them is checked.

#include <algorithm>
#include <assay/check.h>
#include <cmath>

namespace network {

// out = tanh(W x + b), W row by row.
static void layer(const double *weights, const double *bias, const double *input, double *output, int inputs,
                  int outputs) {
  for (int row = 0; row < outputs; ++row) {
    double sum = bias[row];
    for (int column = 0; column < inputs; ++column)
      sum += weights[row * inputs + column] * input[column];
    output[row] = std::tanh(sum);
  }
}

// The mean squared distance of the layer's output from a target; the output lives on the heap meanwhile.
double squared_loss(const double *weights, const double *bias, const double *input, const double *target, int inputs,
                    int outputs) {
  double *output = new double[outputs];
  layer(weights, bias, input, output, inputs, outputs);
  double loss = 0;
  for (int row = 0; row < outputs; ++row) {
    const double distance = output[row] - target[row];
    loss += distance * distance;
  }
  delete[] output;
  return loss / outputs;
}
ASSAY_CHECK(squared_loss, "double[3x4]", "double[3]", "double[4]", "const double[3]", "int=4", "int=3");

// Softmax cross entropy of logits against the class that is right. A template is checked instance by instance.
template <typename Real>
Real cross_entropy(const Real *logits, int classes, int right) {
  Real largest = logits[0];
  for (int i = 1; i < classes; ++i)
    largest = std::max(largest, logits[i]);
  Real sum = 0;
  for (int i = 0; i < classes; ++i)
    sum += std::exp(logits[i] - largest);
  return std::log(sum) - (logits[right] - largest);
}
ASSAY_CHECK(cross_entropy<double>, "double[5]", "int=5", "int=2");
ASSAY_CHECK(cross_entropy<float>, "float[5]", "int=5", "int=2");

} // namespace network
