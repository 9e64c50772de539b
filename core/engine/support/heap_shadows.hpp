#pragma once
// Calls of a derivative that allocate and release shadows on the heap. Where globals of the program keep pointers, the
// library is told of them (lowering/follow_globals.hpp).

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// A call of calloc for a shadow of the block that this call of malloc allocates; null for other allocations. LLVM
/// would make the same of malloc and memset, but drop the mark.
llvm::CallInst *zeroed_shadow(llvm::IRBuilderBase &builder, const llvm::CallBase &allocation, llvm::Value *bytes);

void mark_shadow_allocation(llvm::Instruction &allocation);
bool is_shadow_allocation(const llvm::Instruction &instruction);
void mark_shadow_release(llvm::CallBase &release);
bool is_shadow_release(const llvm::Instruction &instruction);

} // namespace assay::engine
