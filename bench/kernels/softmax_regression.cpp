// Multinomial logistic regression: cross entropy of a softmax over samples, with a quadratic penalty.
#include "bench/kernel_of.hpp"

#include <cmath>
#include <vector>

namespace assay::bench {

namespace {

double value(const double *weights, const double *samples, int count, int features, int classes) {
  std::vector<double> scores(classes);
  double loss = 0;
  for (int sample = 0; sample < count; ++sample) {
    const double *x = samples + sample * features;
    double largest = -1e300;
    for (int c = 0; c < classes; ++c) {
      double score = 0;
      for (int f = 0; f < features; ++f)
        score += weights[c * features + f] * x[f];
      scores[c] = score;
      largest = std::fmax(largest, score);
    }
    double sum = 0;
    for (int c = 0; c < classes; ++c)
      sum += std::exp(scores[c] - largest);
    loss += std::log(sum) + largest - scores[sample % classes];
  }
  double penalty = 0;
  for (int i = 0; i < classes * features; ++i)
    penalty += weights[i] * weights[i];
  return loss / count + 0.01 * penalty;
}

constexpr int count = 64;
constexpr int features = 32;
constexpr int classes = 10;

} // namespace

Kernel softmax_regression() {
  return kernel_of<value>({"softmax_regr", classes * features, 0, -1, 1, count * features, {count, features, classes}});
}

} // namespace assay::bench
