#include "bench/ratios.hpp"

#include "bench/problem.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace assay::bench {

namespace {

/// The processor's time of this thread: on a busy machine, time that others take does not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Run>
double seconds_for(int repetitions, Run &&run) {
  const double start = processor_seconds();
  for (int i = 0; i < repetitions; ++i)
    run();
  return processor_seconds() - start;
}

/// How often to run the primal for the wanted time.
template <class Run>
int repetitions_for(double seconds, Run &&run) {
  int repetitions = 1;
  double taken = seconds_for(repetitions, run);
  while (taken < seconds / 4 && repetitions < (1 << 24)) {
    repetitions *= 2;
    taken = seconds_for(repetitions, run);
  }
  return std::max(1, static_cast<int>(std::lround(repetitions * seconds / std::max(taken, 1e-9))));
}

double quantile(std::vector<double> values, double fraction) {
  const auto position = static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(position), values.end());
  return values[position];
}

} // namespace

Ratios measure_ratios(const Kernel &kernel, const RatioOptions &options) {
  Problem problem = make_problem(kernel);
  const auto primal = [&] { benchmark::DoNotOptimize(kernel.primal(problem)); };
  const auto gradient = [&] {
    kernel.gradient(problem);
    benchmark::ClobberMemory();
  };
  const auto forward = [&] { benchmark::DoNotOptimize(kernel.forward(problem)); };
  const int repetitions = repetitions_for(options.seconds, primal);
  std::vector<double> times, gradients, forwards;
  for (int pair = 0; pair < options.pairs; ++pair) {
    const double primal_time = seconds_for(repetitions, primal);
    times.push_back(primal_time / repetitions);
    gradients.push_back(seconds_for(repetitions, gradient) / primal_time);
    forwards.push_back(seconds_for(repetitions, forward) / primal_time);
  }
  return {kernel.name, quantile(times, 0.5), quantile(gradients, 0.5), quantile(forwards, 0.5),
          quantile(gradients, 0.75) - quantile(gradients, 0.25)};
}

std::string ratio_table(const std::vector<Ratios> &ratios) {
  std::string table = fmt::format("{:<16} {:>12} {:>17} {:>8} {:>16}\n", "kernel", "primal", "gradient/primal", "(iqr)",
                                  "forward/primal");
  for (const Ratios &row : ratios)
    table += fmt::format("{:<16} {:>9.3f} us {:>17.2f} {:>8.2f} {:>16.2f}\n", row.name, row.primal_seconds * 1e6,
                         row.gradient, row.spread, row.forward);
  return table;
}

} // namespace assay::bench
