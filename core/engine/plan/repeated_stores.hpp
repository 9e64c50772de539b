#pragma once
// Loops whose every iteration overwrites the same memory: time steps, sums that are kept in memory. What memory holds
// in the end was stored by the last iteration; what the others stored need not be done again after it was undone.

#include "core/engine/plan/control.hpp"

namespace assay::engine {

/// Of the loops around `store`, those of which each iteration runs the store as often and with the same addresses.
llvm::SmallVector<const llvm::Loop *, 2> repeating_loops(const llvm::Instruction &store, const ControlRecord &control,
                                                         const llvm::LoopInfo &loops,
                                                         const llvm::DominatorTree &dominators,
                                                         llvm::ScalarEvolution &evolution);

} // namespace assay::engine
