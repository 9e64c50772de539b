#pragma once

#include "core/engine/tidy/memory_sums.hpp"
#include "llvm/Analysis/LoopInfo.h"

namespace assay::engine {

/// Iterations that run before their sums are added; as many as there are where that leaves fewer than `fewest` for the
/// next time.
inline constexpr unsigned iterations_of_block = 64, fewest_iterations = 16;
static_assert(fewest_iterations >= NearSums::most_span, "then each place of a group is one that is added to");

/// The number of buffers: one for each different addend.
unsigned count_buffers(llvm::ArrayRef<MemorySum> sums);

/// Rewrites a loop of one block with at least `fewest_iterations`; loop information and dominators are out of date
/// then.
void distribute(llvm::Loop &loop, llvm::ArrayRef<MemorySum> sums, llvm::ScalarEvolution &evolution);

} // namespace assay::engine
