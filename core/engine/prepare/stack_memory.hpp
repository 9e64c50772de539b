#pragma once
// Stack memory of variable size (C's variable-length arrays, alloca): its lifetime would end before the reverse sweep
// reads it, so it becomes heap memory, released where the stack was restored or where the function returns.

#include "llvm/IR/Function.h"

namespace assay::engine {

void move_dynamic_stack_to_heap(llvm::Function &function);

} // namespace assay::engine
