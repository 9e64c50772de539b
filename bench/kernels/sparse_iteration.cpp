// Power iteration with a sparse matrix in compressed rows; the vector is normalised in each step.
#include "bench/kernel_of.hpp"

#include <array>
#include <cmath>

namespace assay::bench {

namespace {

constexpr int rows = 1000, entries_per_row = 5;

struct Pattern {
  std::array<int, rows + 1> start{};
  std::array<int, rows * entries_per_row> column{};

  Pattern() {
    for (int row = 0; row <= rows; ++row)
      start[std::size_t(row)] = row * entries_per_row;
    for (int entry = 0; entry < rows * entries_per_row; ++entry)
      column[std::size_t(entry)] = entry % entries_per_row == 0 ? entry / entries_per_row : (entry * 7919) % rows;
  }
};
const Pattern pattern;

/// The matrix's entries, then the first vector. In the scratch memory: the vector and its product.
double value(const double *input, double *scratch, int size, int steps) {
  const double *entries = input;
  const int *start = pattern.start.data(), *column = pattern.column.data();
  double *vector = scratch, *product = scratch + size;
  for (int i = 0; i < size; ++i)
    vector[i] = input[start[size] + i];
  double norm = 0;
  for (int step = 0; step < steps; ++step) {
    double squares = 0;
    for (int i = 0; i < size; ++i) {
      double sum = 0;
      for (int entry = start[i]; entry < start[i + 1]; ++entry)
        sum += entries[entry] * vector[column[entry]];
      product[i] = sum;
      squares += sum * sum;
    }
    norm = std::sqrt(squares);
    for (int i = 0; i < size; ++i)
      vector[i] = product[i] / norm;
  }
  return norm;
}

} // namespace

Kernel sparse_iteration() {
  return kernel_of<value>({"sparse_iteration", rows * (entries_per_row + 1), 2 * rows, 0.2, 1, 0, {rows, 20, 0}});
}

} // namespace assay::bench
