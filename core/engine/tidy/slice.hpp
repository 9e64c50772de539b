#pragma once
// Slices of a loop: the instructions that some of its values are computed by.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

using Slice = llvm::SmallSetVector<llvm::Instruction *, 32>;

/// `slice` with all instructions that those in it need, as far as they are inside.
Slice closed_slice(Slice slice, llvm::function_ref<bool(const llvm::Instruction &)> is_inside);

} // namespace assay::engine
