// log sum exp of rows: two passes over memory, with the maximum taken off first.
#include "bench/kernel_of.hpp"

#include <cmath>

namespace assay::bench {

namespace {

constexpr int rows = 32;
constexpr int columns = 64;

double value(const double *x) {
  double total = 0;
  for (int row = 0; row < rows; ++row) {
    const double *entries = x + row * columns;
    double largest = entries[0];
    for (int column = 1; column < columns; ++column)
      largest = std::fmax(largest, entries[column]);
    double sum = 0;
    for (int column = 0; column < columns; ++column)
      sum += std::exp(entries[column] - largest);
    total += largest + std::log(sum);
  }
  return total;
}

} // namespace

Kernel log_sum_exp() {
  return kernel_of<value>({"log_sum_exp", rows * columns, 0, -3, 3});
}

} // namespace assay::bench
