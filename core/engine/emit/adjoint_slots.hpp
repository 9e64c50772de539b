#pragma once
// Where the adjoints of values become zero. A value that is used in more than one block keeps its adjoint in a slot on
// the stack, which tidy turns into values again. A slot that is zero from the start of the reverse sweep on is alive
// through all of it: with a slot for each of some hundred branches, the slots to turn into values grow with their
// square. So each slot becomes zero only on the way to where it is used.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// Moves each store of a zero into a slot from the start of the reverse sweep to the last block that all uses of the
/// slot come after and that no cycle repeats: in one, the adjoint that an iteration leaves in the slot is for the next.
void zero_late(llvm::Function &reverse, llvm::ArrayRef<llvm::StoreInst *> zeros);

} // namespace assay::engine
