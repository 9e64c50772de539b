// A sparse product: indices are read from memory and stay inactive.
#include "bench/kernel_of.hpp"

namespace assay::bench {

namespace {

constexpr int count = 1024;
constexpr int entries = 4;

struct Pattern {
  int columns[count * entries];
};

constexpr Pattern make_pattern() {
  Pattern pattern{};
  for (int row = 0; row < count; ++row)
    for (int entry = 0; entry < entries; ++entry)
      pattern.columns[row * entries + entry] = (row * 37 + entry * 101) & (count - 1);
  return pattern;
}

constexpr Pattern pattern = make_pattern();

double value(const double *x) {
  double sum = 0;
  for (int row = 0; row < count; ++row) {
    double product = 0;
    for (int entry = 0; entry < entries; ++entry)
      product += x[pattern.columns[row * entries + entry]] * (entry + 1);
    sum += product * product;
  }
  return sum;
}

} // namespace

Kernel indirect() {
  return kernel_of<value>({"indirect", count, 0, -1, 1});
}

} // namespace assay::bench
