// A transformer's layers over a sequence of tokens. The arrays that they work on are members of a global struct, and
// the step is a function of its own, as programs for inference have it.
#include "bench/kernel_of.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace assay::bench {

namespace {

constexpr int dimension = 48, heads = 4, layers = 2, tokens = 10;
constexpr int layer_weights = dimension * (1 + 4 * dimension);

struct State {
  int dimension, heads, layers, tokens;
  double *x, *normal, *query, *mixed, *scores, *keys, *values;
};
State state;

void normalise(double *out, const double *x, const double *weight, int size) {
  double sum = 0;
  for (int i = 0; i < size; ++i)
    sum += x[i] * x[i];
  const double scale = 1 / std::sqrt(sum / size + 1e-5);
  for (int i = 0; i < size; ++i)
    out[i] = weight[i] * (scale * x[i]);
}

void multiply(double *out, const double *x, const double *matrix, int columns, int rows) {
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j)
      sum += matrix[i * columns + j] * x[j];
    out[i] = sum;
  }
}

void softmax(double *x, int size) {
  double largest = x[0], sum = 0;
  for (int i = 1; i < size; ++i)
    if (x[i] > largest)
      largest = x[i];
  for (int i = 0; i < size; ++i) {
    x[i] = std::exp(x[i] - largest);
    sum += x[i];
  }
  for (int i = 0; i < size; ++i)
    x[i] /= sum;
}

void attend(State &s, int head, int token, const double *keys, const double *values) {
  const int size = s.dimension / s.heads;
  double *query = s.query + head * size, *scores = s.scores + head * s.tokens, *mixed = s.mixed + head * size;
  for (int t = 0; t <= token; ++t) {
    double score = 0;
    for (int i = 0; i < size; ++i)
      score += query[i] * keys[t * s.dimension + head * size + i];
    scores[t] = score / std::sqrt(size);
  }
  softmax(scores, token + 1);
  std::memset(mixed, 0, size * sizeof(double));
  for (int t = 0; t <= token; ++t)
    for (int i = 0; i < size; ++i)
      mixed[i] += scores[t] * values[t * s.dimension + head * size + i];
}

double *step(State &s, const double *weights, const double *row, int token) {
  const int n = s.dimension;
  std::memcpy(s.x, row, n * sizeof(double));
  for (int layer = 0; layer < s.layers; ++layer) {
    const double *w = weights + layer * n * (1 + 4 * n);
    double *keys = s.keys + layer * s.tokens * n, *values = s.values + layer * s.tokens * n;
    normalise(s.normal, s.x, w, n);
    w += n;
    multiply(s.query, s.normal, w, n, n);
    multiply(keys + token * n, s.normal, w + n * n, n, n);
    multiply(values + token * n, s.normal, w + 2 * n * n, n, n);
    for (int head = 0; head < s.heads; ++head)
      attend(s, head, token, keys, values);
    multiply(s.normal, s.mixed, w + 3 * n * n, n, n);
    for (int i = 0; i < n; ++i)
      s.x[i] += s.normal[i];
  }
  return s.x;
}

/// Once for all calls.
void allocate(State &s) {
  const auto numbers = [](std::size_t count) { return static_cast<double *>(std::calloc(count, sizeof(double))); };
  s.dimension = dimension;
  s.heads = heads;
  s.layers = layers;
  s.tokens = tokens;
  s.x = numbers(dimension);
  s.normal = numbers(dimension);
  s.query = numbers(dimension);
  s.mixed = numbers(dimension);
  s.scores = numbers(heads * tokens);
  s.keys = numbers(layers * tokens * dimension);
  s.values = numbers(layers * tokens * dimension);
}

double value(const double *input) {
  if (!state.x)
    allocate(state);
  const double *rows = input + layers * layer_weights;
  double loss = 0;
  for (int token = 0; token < tokens; ++token) {
    const double *x = step(state, input, rows + token * dimension, token);
    loss += std::log(1 + x[token] * x[token]);
  }
  return loss;
}

} // namespace

Kernel transformer_state() {
  return kernel_of<value>({"transformer_state", layers * layer_weights + tokens * dimension, 0, -1, 1});
}

} // namespace assay::bench
