#include "bench/compile_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>

namespace assay::bench {

namespace {

constexpr int derivatives_of_a_kernel = 2; // gradient and forward

std::string compile_command(const std::string &kernel, const std::string &flags) {
  return fmt::format("'{}' -std=c++20 -O3 -fno-math-errno '-I{}' '-I{}/core/include' '-fpass-plugin={}' {} -c "
                     "'{}/bench/kernels/{}.cpp' -o /dev/null",
                     ASSAY_BENCH_COMPILER, ASSAY_BENCH_SOURCE_DIRECTORY, ASSAY_BENCH_SOURCE_DIRECTORY,
                     ASSAY_BENCH_PLUGIN, flags, ASSAY_BENCH_SOURCE_DIRECTORY, kernel);
}

/// The least of several times in seconds: everything else on the machine only adds to it. NaN if the compiler fails.
double compile_seconds(const std::string &command, int runs) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (std::system(command.c_str()) != 0)
      return std::numeric_limits<double>::quiet_NaN();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
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

} // namespace assay::bench
