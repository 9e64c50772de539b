#include "bench/compile_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <sys/resource.h>

namespace assay::bench {

namespace {

int derivatives(const Kernel &kernel) {
  return (kernel.gradient ? 1 : 0) + (kernel.forward ? 1 : 0) + (kernel.forward4 ? 1 : 0) + (kernel.forward8 ? 1 : 0);
}

/// How many derivatives each file of kernels has.
std::map<std::string, int> derivatives_by_source(const std::vector<Kernel> &kernels) {
  std::map<std::string, int> count;
  for (const Kernel &kernel : kernels)
    count[kernel.source] += derivatives(kernel);
  return count;
}

std::string kernel_command(const std::string &source, const std::string &flags) {
  return fmt::format("'{}' -std=c++20 -O3 -fno-math-errno -w '-I{}' '-I{}/core/include' {} {} -c "
                     "'{}' -o /dev/null",
                     ASSAY_BENCH_COMPILER, ASSAY_BENCH_SOURCE_DIRECTORY, ASSAY_BENCH_SOURCE_DIRECTORY,
                     ASSAY_BENCH_EIGEN_FLAGS, flags, source);
}

struct Program {
  const char *name;
  int derivatives;
};

constexpr Program programs[] = {
    {"one_function", 2}, {"many_functions", 40}, {"call_chain", 2}, {"call_tree", 2},
    {"loop_nest", 2},    {"long_block", 2},      {"containers", 2},
#ifdef ASSAY_BENCH_HAS_EIGEN
    {"eigen", 2},
#endif
};

std::string program_command(const std::string &program, const std::string &flags) {
  return fmt::format("'{}' -std=c++20 -O2 '-I{}' {} {} -c '{}/bench/programs/{}.cpp' -o /dev/null",
                     ASSAY_BENCH_COMPILER, ASSAY_BENCH_SOURCE_DIRECTORY, ASSAY_BENCH_EIGEN_FLAGS, flags,
                     ASSAY_BENCH_SOURCE_DIRECTORY, program);
}

/// Processor time of all child processes so far: what else runs on the machine does not count.
double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The least of several times in seconds. NaN if the compiler fails.
double compile_seconds(const std::string &command, int runs) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const double start = children_seconds();
    if (std::system(command.c_str()) != 0)
      return std::numeric_limits<double>::quiet_NaN();
    least = std::min(least, children_seconds() - start);
  }
  return least;
}

constexpr auto with_plugin = "'-fpass-plugin=" ASSAY_BENCH_PLUGIN "'";

constexpr auto line = "{:<20} {:>16} {:>18} {:>8} {:>18}\n";

std::string head(const char *what) {
  return fmt::format(line, what, "compile, primal", "with derivatives", "ratio", "per derivative");
}

std::string row(const std::string &name, double primal, double all, int derivatives) {
  const auto milliseconds = [](double seconds) { return fmt::format("{:.1f} ms", seconds * 1e3); };
  return fmt::format(line, name, milliseconds(primal), milliseconds(all), fmt::format("{:.2f}", all / primal),
                     milliseconds((all - primal) / derivatives));
}

} // namespace

std::string compile_time_table(const std::vector<Kernel> &kernels, int runs) {
  std::string table = head("kernel");
  for (const auto &[source, derivatives] : derivatives_by_source(kernels)) {
    const double primal = compile_seconds(kernel_command(source, "-DASSAY_BENCH_PRIMAL_ONLY"), runs);
    const double all = compile_seconds(kernel_command(source, with_plugin), runs);
    table += row(std::filesystem::path(source).stem().string(), primal, all, derivatives);
  }
  return table;
}

std::string program_table(int runs) {
  std::string table = head("program");
  for (const Program &program : programs) {
    const double primal = compile_seconds(program_command(program.name, "-DASSAY_BENCH_PRIMAL_ONLY"), runs);
    const double all = compile_seconds(program_command(program.name, with_plugin), runs);
    table += row(program.name, primal, all, program.derivatives);
  }
  return table;
}

} // namespace assay::bench
