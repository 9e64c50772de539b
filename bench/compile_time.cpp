#include "bench/compile_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sys/resource.h>

namespace assay::bench {

namespace {

constexpr int derivatives_of_a_kernel = 2; // gradient and forward

std::string compile_command(const std::string &kernel, const std::string &flags) {
  return fmt::format("'{}' -std=c++20 -O3 -fno-math-errno '-I{}' '-I{}/core/include' '-fpass-plugin={}' {} -c "
                     "'{}/bench/kernels/{}.cpp' -o /dev/null",
                     ASSAY_BENCH_COMPILER, ASSAY_BENCH_SOURCE_DIRECTORY, ASSAY_BENCH_SOURCE_DIRECTORY,
                     ASSAY_BENCH_PLUGIN, flags, ASSAY_BENCH_SOURCE_DIRECTORY, kernel);
}

struct Program {
  const char *name;
  int derivatives;
};

constexpr Program programs[] = {
    {"one_function", 2}, {"many_functions", 40}, {"call_chain", 2},
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

} // namespace

std::string compile_time_table(const std::vector<Kernel> &kernels, int runs) {
  std::string table = fmt::format("{:<16} {:>18} {:>18}\n", "kernel", "compile, primal", "per derivative");
  for (const Kernel &kernel : kernels) {
    const double primal = compile_seconds(compile_command(kernel.name, "-DASSAY_BENCH_PRIMAL_ONLY"), runs);
    const double all = compile_seconds(compile_command(kernel.name, ""), runs);
    table += fmt::format("{:<16} {:>15.1f} ms {:>15.1f} ms\n", kernel.name, primal * 1e3,
                         (all - primal) / derivatives_of_a_kernel * 1e3);
  }
  return table;
}

std::string program_table(int runs) {
  constexpr auto line = "{:<16} {:>16} {:>18} {:>8} {:>18}\n";
  std::string table = fmt::format(line, "program", "compile, primal", "with derivatives", "ratio", "per derivative");
  for (const Program &program : programs) {
    const double primal = compile_seconds(program_command(program.name, "-DASSAY_BENCH_PRIMAL_ONLY"), runs);
    const std::string plugin = fmt::format("'-fpass-plugin={}'", ASSAY_BENCH_PLUGIN);
    const double all = compile_seconds(program_command(program.name, plugin), runs);
    const auto milliseconds = [](double seconds) { return fmt::format("{:.1f} ms", seconds * 1e3); };
    table += fmt::format(line, program.name, milliseconds(primal), milliseconds(all),
                         fmt::format("{:.2f}", all / primal), milliseconds((all - primal) / program.derivatives));
  }
  return table;
}

} // namespace assay::bench
