// A long short-term memory cell over a sequence: gates from matrix-vector products, state kept from step to step.
#include "bench/kernel_of.hpp"

#include <cmath>
#include <vector>

namespace assay::bench {

namespace {

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

/// One gate of every unit: weights of input and hidden state, and a bias, row by row.
double gate(const double *row, const double *input, int inputs, const double *hidden, int units) {
  double sum = row[inputs + units];
  for (int i = 0; i < inputs; ++i)
    sum += row[i] * input[i];
  for (int i = 0; i < units; ++i)
    sum += row[inputs + i] * hidden[i];
  return sum;
}

void step(const double *weights, const double *input, int inputs, int units, double *cell, double *hidden,
          double *next) {
  const int row = inputs + units + 1;
  for (int i = 0; i < units; ++i) {
    const double *rows = weights + 4 * i * row;
    const double forget = sigmoid(gate(rows, input, inputs, hidden, units));
    const double ingoing = sigmoid(gate(rows + row, input, inputs, hidden, units));
    const double outgoing = sigmoid(gate(rows + 2 * row, input, inputs, hidden, units));
    const double change = std::tanh(gate(rows + 3 * row, input, inputs, hidden, units));
    cell[i] = forget * cell[i] + ingoing * change;
    next[i] = outgoing * std::tanh(cell[i]);
  }
  for (int i = 0; i < units; ++i)
    hidden[i] = next[i];
}

double value(const double *weights, const double *sequence, int length, int inputs, int units) {
  std::vector<double> cell(units), hidden(units), next(units);
  double loss = 0;
  for (int time = 0; time < length; ++time) {
    step(weights, sequence + time * inputs, inputs, units, cell.data(), hidden.data(), next.data());
    for (int i = 0; i < units; ++i)
      loss += (hidden[i] - 0.5) * (hidden[i] - 0.5);
  }
  return loss;
}

constexpr int length = 20;
constexpr int inputs = 10;
constexpr int units = 16;

} // namespace

Kernel recurrent_cell() {
  return kernel_of<value>(
      {"recurrent_cell", 4 * units * (inputs + units + 1), 0, -0.5, 0.5, length * inputs, {length, inputs, units}});
}

} // namespace assay::bench
