#pragma once
// Calls that give memory back: the function, and its arguments besides the memory.

#include "core/engine/support/function_info.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// A call that gives memory back.
struct Release {
  llvm::FunctionCallee function;
  unsigned pointer = 0;                         ///< Which argument is the memory.
  llvm::SmallVector<llvm::Value *, 1> others{}; ///< The other arguments: an alignment, a size, a pool.

  llvm::SmallVector<llvm::Value *, 2> arguments(llvm::Value *memory) const;
};

/// Of the release (free, operator delete, a registered deallocator) that belongs to `allocation`, or that `release` is.
/// Other arguments are those of the given call.
Release release_of_allocation(const llvm::CallBase &allocation, const FunctionInfo &function_info);
Release same_release(const llvm::CallBase &release, const FunctionInfo &function_info);

/// The second argument of the release as a word; zero where there is none.
llvm::Value *other_word(llvm::IRBuilderBase &builder, const Release &release);

/// The same release with at most one other argument as void(ptr memory, i64 other), to be kept in a list; null when
/// there are more.
llvm::Function *release_thunk(llvm::Module &module, Release release);

} // namespace assay::engine
