#pragma once
// Memory that a combined gradient takes in the forward sweep and gives back in the reverse sweep, in the opposite
// order, lives on a stack of its own (core/engine/library/memory_stack.c). While derivatives are written, calls of
// three functions stand for it, which a later differentiation of the same code reads as malloc and free:
//
//   take(bytes)    fresh memory
//   give(memory)   the memory taken last and not given yet
//   leave(memory)  anything taken: it ends with the function at the latest
//
// Once all are written, each function that calls them gets its stack.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

llvm::FunctionCallee stack_take_function(llvm::Module &module);
llvm::FunctionCallee stack_give_function(llvm::Module &module);
llvm::FunctionCallee stack_leave_function(llvm::Module &module);

/// Gives the functions of the module their stacks.
void lower_memory_stacks(llvm::Module &module);

} // namespace assay::engine
