#pragma once

#include "bench/kernel.hpp"

#include <string>
#include <vector>

namespace assay::bench {

/// Compiles the source files of all kernels without the plugin and without derivatives, and with both. Times are of
/// the processor; NaN where the compiler fails.
std::string compile_time_table(const std::vector<Kernel> &kernels, int runs);

/// The same for the programs of bench/programs, as a user would compile them.
std::string program_table(int runs);

} // namespace assay::bench
