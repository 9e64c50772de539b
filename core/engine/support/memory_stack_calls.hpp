#pragma once
// Calls that stand for a combined gradient's stack of memory while derivatives are written (emit/memory_stack.hpp).

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// Those of take, give and leave.
llvm::SmallVector<llvm::CallInst *, 16> stack_calls(llvm::Function &function);
void replace_stack_call(llvm::CallInst &call, llvm::FunctionCallee callee, llvm::ArrayRef<llvm::Value *> arguments);

/// The call that enters the pool of tapes (emit/tape_pool.hpp) goes, and those that leave it.
void drop_pool_scope(llvm::CallInst &enter);

/// In code that is differentiated anew there are two sweeps where there was one: plain allocations and releases.
void replace_memory_stack(llvm::Function &clone);

} // namespace assay::engine
