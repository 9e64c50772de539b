#pragma once

#include "bench/kernel.hpp"

#include <string>
#include <vector>

namespace assay::bench {

/// Compiles every kernel's source with the plugin, with and without its requests for derivatives: the difference, per
/// derivative.
std::string compile_time_table(const std::vector<Kernel> &kernels, int runs);

/// Compiles the programs of bench/programs as a user would, without the plugin and without derivatives, and with both.
std::string program_table(int runs);

} // namespace assay::bench
