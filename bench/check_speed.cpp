// assay-check-bench: how many activity combinations the gradient check gets through in a second, on one core.
//
//     assay-check-bench [flags of Google Benchmark]
//
// Counted is everything between IR that is not optimised yet and the verdicts: optimisation, derivatives, machine code,
// random inputs, finite differences and all other checks. The combinations are all plain ones and their variations
// (widths, split reverse mode, run-time activity), as in `assay check`.
//
//   shared  one compilation for all combinations of a function; the point and the columns of its Jacobian serve all
//   naive   for each combination the function is compiled with that one derivative, and checked by itself
#include "cli/check_function.hpp"
#include "cli/jit_subject.hpp"
#include "cli/load_functions.hpp"
#include "core/jit/scratch_folder.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <deque>
#include <fstream>
#include <stdexcept>

namespace assay::bench {

namespace {

using testutils::Combination;

constexpr const char *source = R"C(
#include <assay/check.h>
#include <math.h>

double product(double x, double y) { return x * y + sin(x); }
ASSAY_CHECK(product, "double", "double");

double mixture(double a, double b, double c, double d) { return a * b + exp(c) * d; }
ASSAY_CHECK(mixture, "double", "double", "double", "double");

float hypotenuse(float x, float y, float z) { return sqrtf(x * x + y * y + z * z + 1); }
ASSAY_CHECK(hypotenuse, "float", "float", "float");

void rotate(double angle, const double *from, double *to) {
  to[0] = cos(angle) * from[0] - sin(angle) * from[1];
  to[1] = sin(angle) * from[0] + cos(angle) * from[1];
}
ASSAY_CHECK(rotate, "double", "double[2]", "double[2]");

double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}
ASSAY_CHECK(dot, "double[4]", "double[4]", "int=4");

void smooth(double *x, double weight, int n) {
  for (int i = 1; i < n; ++i)
    x[i] = x[i - 1] * weight + x[i] * (1 - weight);
}
ASSAY_CHECK(smooth, "double[5]", "double:(0,1)", "int=5");
)C";

class Functions {
public:
  Functions() {
    const jit::ScratchFolder scratch;
    const std::filesystem::path path = scratch.file("functions.c");
    std::ofstream(path) << source;
    cli::CheckSettings settings;
    settings.samples = 1;
    cli::Console console;
    cli::load_marked(path, settings, console, files_, functions_);
  }

  const std::deque<cli::FunctionToCheck> &all() const { return functions_; }

private:
  std::deque<jit::ModuleFile> files_;
  std::deque<cli::FunctionToCheck> functions_;
};

std::vector<Combination> combinations_of(cli::JitSubject &subject, const testutils::CheckOptions &options) {
  return testutils::combinations_of(subject, testutils::random_inputs(subject.signature(), options, 0), options);
}

void require_passed(const testutils::Report &report) {
  if (report.passed != report.checked)
    throw std::runtime_error(
        fmt::format("{}: {} of {} combinations passed", report.signature.function, report.passed, report.checked));
}

std::size_t check_shared(const cli::FunctionToCheck &function, testutils::OracleChoice oracle) {
  jit::Program program(*function.file, function.request.function, cli::repetition_of(function.request));
  cli::JitSubject subject(function.request, program);
  testutils::CheckOptions options = cli::check_options(function.request);
  options.oracle = oracle;
  options.combinations = combinations_of(subject, options);
  subject.prepare(options.combinations);
  require_passed(testutils::check_gradients(subject, options));
  return options.combinations.size();
}

std::size_t check_naively(const cli::FunctionToCheck &function, testutils::OracleChoice oracle) {
  testutils::CheckOptions options = cli::check_options(function.request);
  options.oracle = oracle;
  std::vector<Combination> combinations;
  {
    jit::Program program(*function.file, function.request.function, cli::repetition_of(function.request));
    cli::JitSubject subject(function.request, program);
    combinations = combinations_of(subject, options);
  }
  for (const Combination &combination : combinations) {
    jit::Program program(*function.file, function.request.function, cli::repetition_of(function.request));
    cli::JitSubject subject(function.request, program);
    options.combinations = {combination};
    require_passed(testutils::check_gradients(subject, options));
  }
  return combinations.size();
}

using Check = std::size_t (*)(const cli::FunctionToCheck &, testutils::OracleChoice);

void add_benchmark(const std::string &name, const std::vector<const cli::FunctionToCheck *> &functions, Check check,
                   testutils::OracleChoice oracle) {
  const auto body = [functions, check, oracle](benchmark::State &state) {
    std::size_t combinations = 0;
    for (auto _ : state)
      for (const cli::FunctionToCheck *function : functions)
        combinations += check(*function, oracle);
    state.counters["combinations/s"] =
        benchmark::Counter(static_cast<double>(combinations), benchmark::Counter::kIsRate);
  };
  benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMillisecond);
}

void add_benchmarks(const std::deque<cli::FunctionToCheck> &functions) {
  std::vector<const cli::FunctionToCheck *> all;
  for (const cli::FunctionToCheck &function : functions)
    all.push_back(&function);
  for (const auto &[suffix, check] : {std::pair<const char *, Check>{"shared", check_shared}, {"naive", check_naively}})
    for (const auto oracle : {testutils::OracleChoice::finite_differences, testutils::OracleChoice::automatic}) {
      const std::string ending = fmt::format("{}/{}", cli::name_of(oracle), suffix);
      for (const cli::FunctionToCheck *function : all)
        add_benchmark(fmt::format("{}/{}", function->request.function.name, ending), {function}, check, oracle);
      add_benchmark("all/" + ending, all, check, oracle);
    }
}

} // namespace

} // namespace assay::bench

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  const assay::bench::Functions functions;
  assay::bench::add_benchmarks(functions.all());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
