// assay-bench: times of primals and their derivatives.
//
//     assay-bench [--pairs=31] [--pair_seconds=0.002] [--compile_runs=0] [flags of Google Benchmark]
//
// Derivatives are checked first; then the benchmarks run; then the ratios are measured in pairs and printed; then, if
// asked for, what each derivative adds to the time of a compilation.
#include "bench/compile_time.hpp"
#include "bench/problem.hpp"
#include "bench/ratios.hpp"

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace assay::bench {

namespace {

template <class Run>
void add_benchmark(const Kernel &kernel, const char *what, Run run) {
  const auto body = [kernel, run](benchmark::State &state) {
    Problem problem = make_problem(kernel);
    for (auto _ : state)
      run(kernel, problem);
  };
  benchmark::RegisterBenchmark(fmt::format("{}/{}", kernel.name, what).c_str(), body);
}

void add_benchmarks(const Kernel &kernel) {
  add_benchmark(kernel, "primal",
                [](const Kernel &k, Problem &problem) { benchmark::DoNotOptimize(k.primal(problem)); });
  add_benchmark(kernel, "gradient", [](const Kernel &k, Problem &problem) {
    k.gradient(problem);
    benchmark::ClobberMemory();
  });
  add_benchmark(kernel, "forward",
                [](const Kernel &k, Problem &problem) { benchmark::DoNotOptimize(k.forward(problem)); });
}

void add_benchmarks(const JacobianRun &run) {
  const auto body = [run](benchmark::State &state) {
    const std::vector<double> x = input_of_jacobians();
    for (auto _ : state)
      benchmark::DoNotOptimize(run.run(x));
  };
  benchmark::RegisterBenchmark(fmt::format("jacobian/{}", run.name).c_str(), body);
}

/// All of them give one Jacobian.
int report_disagreements(const std::vector<JacobianRun> &runs, double expected) {
  int wrong = 0;
  for (const JacobianRun &run : runs)
    if (const double sum = run.run(input_of_jacobians()); std::abs(sum - expected) > 1e-9 * std::abs(expected)) {
      ++wrong;
      fmt::print("wrong Jacobian by {}: {} instead of {}\n", run.name, sum, expected);
    }
  return wrong;
}

int report_disagreements(const std::vector<Kernel> &kernels) {
  int wrong = 0;
  for (const Kernel &kernel : kernels) {
    const std::string sentence = disagreement(kernel);
    if (sentence.empty())
      continue;
    ++wrong;
    fmt::print("wrong derivative in {}\n", sentence);
  }
  return wrong;
}

int run(int argc, char **argv) {
  benchmark::Initialize(&argc, argv); // Takes its own flags out.
  RatioOptions ratio_options;
  int compile_runs = 0;
  CLI::App app("Times of primals and their derivatives");
  app.add_option("--pairs", ratio_options.pairs, "Paired repetitions behind each ratio")->check(CLI::Range(1, 100000));
  app.add_option("--pair_seconds", ratio_options.seconds, "Time of one measurement of the primal")
      ->check(CLI::PositiveNumber);
  app.add_option("--compile_runs", compile_runs, "Compilations behind each compile time; 0 measures none")
      ->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);

  const auto kernels = all_kernels();
  const auto by_columns = forward_jacobians(), by_rows = reverse_jacobians();
  const double jacobian = by_columns.front().run(input_of_jacobians());
  const int wrong = report_disagreements(kernels) + report_disagreements(by_columns, jacobian) +
                    report_disagreements(by_rows, jacobian);
  for (const Kernel &kernel : kernels)
    add_benchmarks(kernel);
  for (const auto &runs : {by_columns, by_rows})
    for (const JacobianRun &each : runs)
      add_benchmarks(each);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();

  std::vector<Ratios> ratios;
  for (const Kernel &kernel : kernels)
    ratios.push_back(measure_ratios(kernel, ratio_options));
  fmt::print("\n{}", ratio_table(ratios));
  for (const auto &runs : {by_columns, by_rows})
    fmt::print("\n{}", jacobian_table(measure_jacobians(runs, ratio_options)));
  if (compile_runs > 0)
    fmt::print("\n{}\n{}", compile_time_table(kernels, compile_runs), program_table(compile_runs));
  return wrong == 0 ? 0 : 1;
}

} // namespace

} // namespace assay::bench

int main(int argc, char **argv) {
  return assay::bench::run(argc, argv);
}
