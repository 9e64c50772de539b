#pragma once
// Sums in memory that other threads of a device add to as well.

#include "core/engine/plan/adjoint_adds.hpp"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// Adds the floating parts of `value` to memory at `place`, each by an atomic operation of the whole device, or by one
/// for the lanes of a warp that mean one place. Returns the instructions that access the memory.
llvm::SmallVector<llvm::Instruction *, 2> add_atomically(llvm::IRBuilderBase &builder, llvm::Value *place,
                                                         llvm::Value *value, AdjointAdd add, LaneAddresses addresses);

} // namespace assay::engine
