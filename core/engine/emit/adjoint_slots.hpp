#pragma once
// Where the adjoints of values become zero. A value that is used in more than one block keeps its adjoint in a slot on
// the stack, which tidy turns into values again. A slot that is zero from the start of the reverse sweep on is alive
// through all of it: with a slot for each of some hundred branches, or with as many calls that may throw, the phis grow
// with their square. So each slot becomes zero only where it is used next, and it holds an adjoint only between what
// adds to it and what takes it.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// Replaces each store of a zero into a slot, at the start of the reverse sweep, by stores where the slot holds
/// nothing: before its first use in a block, and at the ends of blocks that lead to where it may hold an adjoint. Which
/// blocks these are is the solution of a forward problem: additions begin, and zeros end, that a slot may hold one.
void zero_late(llvm::ArrayRef<llvm::StoreInst *> zeros);

} // namespace assay::engine
