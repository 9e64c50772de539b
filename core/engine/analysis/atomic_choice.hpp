#pragma once
// Atomic updates of a device that choose: afterwards memory holds what it held, or a number v of the thread.
//
//     atomic max(p, v), atomic min(p, v)                    also on the bits of v as an integer
//     compare and swap(p, assumed, v)
//     compare and swap(p, assumed, max(v, assumed))         also min, and a select of the two
//
// Once no thread updates the place any more, whoever's number is the final one has been chosen. So neither the order of
// the threads nor the comparison matters to the derivative.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// The number v, of type float or double; null for other updates and where it depends on what the update finds.
const llvm::Value *chosen_number(const llvm::Instruction &update);

/// The first instruction beyond the update's own loop that reads what it found and is `active`; null where none is.
const llvm::Instruction *active_user_of_found(const llvm::Instruction &update,
                                              llvm::function_ref<bool(const llvm::Instruction &)> active);

/// What may write to the place after the update and is no such update of the same phase, which ends at a barrier; null
/// where nothing does, so that the place holds the final number from then on. Arguments lead to no array of the block.
const llvm::Instruction *later_writer(const llvm::Instruction &update);

/// True where the place is seen to be in the memory of a block.
bool is_in_shared_memory(const llvm::Value &place);

} // namespace assay::engine
