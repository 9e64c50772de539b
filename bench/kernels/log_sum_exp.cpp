// log sum exp of rows: two passes over memory, with the maximum taken off first.
#include "bench/convention.hpp"
#include "bench/kernel.hpp"

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

Kernel log_sum_exp() {
  return {"log_sum_exp", rows * columns, 0, -3, 3, primal, gradient, forward};
}

} // namespace assay::bench
