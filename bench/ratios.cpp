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
  if (values.empty())
    return 0;
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
  const auto forward4 = [&] { benchmark::DoNotOptimize(kernel.forward4(problem)); };
  const auto forward8 = [&] { benchmark::DoNotOptimize(kernel.forward8(problem)); };
  const int repetitions = repetitions_for(options.seconds, primal);
  std::vector<double> times, gradients, forwards, fours, eights;
  for (int pair = 0; pair < options.pairs; ++pair) {
    const double primal_time = seconds_for(repetitions, primal);
    times.push_back(primal_time / repetitions);
    gradients.push_back(seconds_for(repetitions, gradient) / primal_time);
    forwards.push_back(seconds_for(repetitions, forward) / primal_time);
    if (kernel.forward4)
      fours.push_back(seconds_for(repetitions, forward4) / primal_time / 4);
    if (kernel.forward8)
      eights.push_back(seconds_for(repetitions, forward8) / primal_time / 8);
  }
  return {kernel.name,
          quantile(times, 0.5),
          quantile(gradients, 0.5),
          quantile(forwards, 0.5),
          quantile(fours, 0.5),
          quantile(eights, 0.5),
          quantile(gradients, 0.75) - quantile(gradients, 0.25)};
}

std::vector<JacobianRatio> measure_jacobians(const std::vector<JacobianRun> &runs, const RatioOptions &options) {
  const std::vector<double> x = input_of_jacobians();
  const auto run = [&x](const JacobianRun &each) { return [&x, &each] { benchmark::DoNotOptimize(each.run(x)); }; };
  const int repetitions = repetitions_for(options.seconds, run(runs.front()));
  std::vector<double> single;
  std::vector<std::vector<double>> ratios(runs.size());
  for (int pair = 0; pair < options.pairs; ++pair) {
    const double first = seconds_for(repetitions, run(runs.front()));
    single.push_back(first / repetitions);
    for (std::size_t index = 1; index < runs.size(); ++index)
      ratios[index].push_back(seconds_for(repetitions, run(runs[index])) / first);
  }
  std::vector<JacobianRatio> result;
  for (std::size_t index = 0; index < runs.size(); ++index)
    result.push_back({runs[index].name, quantile(single, 0.5), index == 0 ? 1.0 : quantile(ratios[index], 0.5)});
  return result;
}

namespace {

/// Of the rows where it was measured.
double geometric_mean(const std::vector<Ratios> &ratios, double Ratios::*column) {
  double sum = 0;
  int count = 0;
  for (const Ratios &row : ratios)
    if (row.*column > 0) {
      sum += std::log(row.*column);
      ++count;
    }
  return count == 0 ? 0 : std::exp(sum / count);
}

std::string cell(double ratio) {
  return ratio > 0 ? fmt::format("{:.2f}", ratio) : "-";
}

} // namespace

std::string ratio_table(const std::vector<Ratios> &ratios) {
  constexpr auto line = "{:<18} {:>12} {:>17} {:>7} {:>16} {:>12} {:>12}\n";
  std::string table =
      fmt::format(line, "kernel", "primal", "gradient/primal", "(iqr)", "forward/primal", "4, per lane", "8, per lane");
  for (const Ratios &row : ratios)
    table += fmt::format(line, row.name, fmt::format("{:.3f} us", row.primal_seconds * 1e6), cell(row.gradient),
                         fmt::format("{:.2f}", row.spread), cell(row.forward), cell(row.forward4), cell(row.forward8));
  return table + fmt::format(line, "geometric mean", "", cell(geometric_mean(ratios, &Ratios::gradient)), "",
                             cell(geometric_mean(ratios, &Ratios::forward)),
                             cell(geometric_mean(ratios, &Ratios::forward4)),
                             cell(geometric_mean(ratios, &Ratios::forward8)));
}

std::string jacobian_table(const std::vector<JacobianRatio> &ratios) {
  constexpr auto line = "{:<20} {:>12} {:>12}\n";
  std::string table = fmt::format(line, "Jacobian, 100 by 100", "time", "to 100 calls");
  for (const JacobianRatio &row : ratios)
    table +=
        fmt::format(line, row.name, fmt::format("{:.1f} us", row.single_seconds * row.ratio * 1e6), cell(row.ratio));
  return table;
}

} // namespace assay::bench
