#pragma once
// Puts another value in the place of one. Private to this folder.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::jit {

/// Where code can be written that uses `value` and stands before all its uses; nothing for what has no such place.
std::optional<llvm::BasicBlock::iterator> place_behind(llvm::Value &value);

using Rewrite = llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &, llvm::Value &)>;

/// Writes another value right behind `value`, for some of its uses or for all there are.
void replace_in(llvm::ArrayRef<llvm::Use *> uses, llvm::Value &value, Rewrite rewrite);
void replace_everywhere(llvm::Value &value, Rewrite rewrite);

} // namespace assay::jit
