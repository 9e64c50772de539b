// Log-likelihood of a Gaussian mixture with full covariances, given by the factors of their inverses.
#include "bench/kernel_of.hpp"

#include <cmath>
#include <vector>

namespace assay::bench {

namespace {

double log_sum_exp_of(const double *x, int count) {
  double largest = x[0];
  for (int i = 1; i < count; ++i)
    if (largest < x[i])
      largest = x[i];
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += std::exp(x[i] - largest);
  return std::log(sum) + largest;
}

/// The lower triangular factor, its diagonal in logarithms, times a vector.
void multiply_factor(int dimension, const double *logarithms, const double *lower, const double *x, double *result) {
  for (int i = 0; i < dimension; ++i)
    result[i] = std::exp(logarithms[i]) * x[i];
  for (int j = 0, k = 0; j < dimension; ++j)
    for (int i = j + 1; i < dimension; ++i, ++k)
      result[i] += lower[k] * x[j];
}

double square_norm(const double *x, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += x[i] * x[i];
  return sum;
}

/// Weights, means, logarithms of diagonals and lower triangles of all components, one after the other.
double value(const double *x, const double *points, int count, int dimension, int components) {
  const int triangle = dimension * (dimension - 1) / 2;
  const double *weights = x, *means = weights + components, *logarithms = means + components * dimension,
               *lower = logarithms + components * dimension;
  std::vector<double> centred(dimension), scaled(dimension), terms(components), traces(components);
  for (int k = 0; k < components; ++k) {
    traces[k] = 0;
    for (int i = 0; i < dimension; ++i)
      traces[k] += logarithms[k * dimension + i];
  }
  double total = 0;
  for (int point = 0; point < count; ++point) {
    for (int k = 0; k < components; ++k) {
      for (int i = 0; i < dimension; ++i)
        centred[i] = points[point * dimension + i] - means[k * dimension + i];
      multiply_factor(dimension, logarithms + k * dimension, lower + k * triangle, centred.data(), scaled.data());
      terms[k] = weights[k] + traces[k] - 0.5 * square_norm(scaled.data(), dimension);
    }
    total += log_sum_exp_of(terms.data(), components);
  }
  return total - count * log_sum_exp_of(weights, components);
}

constexpr int dimension = 8;
constexpr int components = 5;

} // namespace

Kernel gaussian_mixture() {
  constexpr int count = 100;
  return kernel_of<value>({"gaussian_mixture",
                           components * (1 + 2 * dimension + dimension * (dimension - 1) / 2),
                           0,
                           -0.5,
                           0.5,
                           count * dimension,
                           {count, dimension, components}});
}

} // namespace assay::bench
