#pragma once
// Sums in memory that other threads of a device add to as well, and those that have to stay one instruction.

#include "core/engine/plan/adjoint_adds.hpp"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// Adds the floating parts of `value` to memory at `place`, each by one operation: an atomic one of the whole device,
/// one for the lanes of a warp that mean one place, or an undivided sum. Returns the instructions that access the
/// memory.
llvm::SmallVector<llvm::Instruction *, 2> add_atomically(llvm::IRBuilderBase &builder, llvm::Value *place,
                                                         llvm::Value *value, AdjointAdd add, LaneAddresses addresses);

} // namespace assay::engine
