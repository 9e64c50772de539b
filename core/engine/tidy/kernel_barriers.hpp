#pragma once
// Barriers and other synchronisation of a kernel, as far as sums that wait until its end depend on them.

#include "core/engine/analysis/block_uniformity.hpp"
#include "llvm/Analysis/PostDominators.h"

namespace assay::engine {

/// Whether a barrier stands under divergent control flow, so that some threads of a block may pass it by, as after an
/// early return.
bool has_divergent_barrier(llvm::Function &kernel, BlockUniformity &uniformity,
                           const llvm::PostDominatorTree &post_dominators);

/// Whether a thread may read an adjoint after synchronisation (a barrier, a fence, an atomic operation of the program)
/// that follows one of these sums by another thread. Adjoints are read where the derivative clears them.
bool reads_adjoints_after_synchronisation(llvm::Function &kernel, llvm::ArrayRef<llvm::Instruction *> sums);

} // namespace assay::engine
