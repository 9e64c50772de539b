#pragma once
// How a kernel's derivative adds to memory that threads share, in words.

#include "core/engine/explain/explanation.hpp"

namespace assay::cli {

/// One line for each group of sums, for each way in which the others are added, and for each atomic update. Empty for
/// code of the host without atomic updates.
std::vector<std::string> lines_of_sums(const engine::ExplainedSums &sums);

} // namespace assay::cli
