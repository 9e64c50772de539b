// A sparse product: indices are read from memory and stay inactive.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

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

double primal(Problem &problem) {
  return value(problem.input.data());
}

#ifndef ASSAY_BENCH_PRIMAL_ONLY
void gradient(Problem &problem) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(), problem.gradient.data());
}

double forward(Problem &problem) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(value), enzyme_dup, problem.input.data(),
                                  problem.direction.data());
}
#else
void gradient(Problem &) {}
double forward(Problem &) {
  return 0;
}
#endif

} // namespace

Kernel indirect() {
  return {"indirect", count, 0, -1, 1, primal, gradient, forward};
}

} // namespace assay::bench
