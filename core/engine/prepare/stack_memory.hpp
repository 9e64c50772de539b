#pragma once
// Stack memory of variable size (C's variable-length arrays, alloca): its lifetime would end before the reverse sweep
// reads it, so it becomes heap memory. Where each piece has one place at which it ends, the place where the stack was
// restored or the function's return, it is released there. Pieces of which a loop or a branch makes any number are
// marked instead: the reverse sweep releases each where it passes its allocation, and forward mode, which has no need
// of the heap, puts them back on the stack.

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

void move_dynamic_stack_to_heap(llvm::Function &function);

/// True for an allocation that was a piece of the stack and has no release of its own.
bool is_stack_memory(const llvm::CallBase &allocation);

/// True when `function` has such allocations. It stays a function of its own, so that they end when it returns.
bool keeps_stack_memory(const llvm::Function &function);

/// Such allocations of `function` become stack memory again.
void return_to_stack(llvm::Function &function);

/// The allocations of `function` have their releases now.
void forget_stack_memory(llvm::Function &function);

} // namespace assay::engine
