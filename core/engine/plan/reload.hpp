#pragma once
// Reloading: a load of the forward sweep may be repeated in the reverse sweep when nothing that runs after it, in the
// rest of the forward sweep, can have changed the memory.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

class ReloadAnalysis {
public:
  /// `harmless` are instructions that write nothing a load can see. With `leaves_function` the reverse sweep runs after
  /// the forward sweep's function has returned: memory that its caller can reach may change in between.
  ReloadAnalysis(llvm::Function &sweep, llvm::AAResults &aliases,
                 const llvm::SmallPtrSetImpl<const llvm::Instruction *> &harmless, bool leaves_function,
                 llvm::function_ref<bool(const llvm::Value &)> is_own_memory);

  bool can_reload(const llvm::LoadInst &load);

private:
  const llvm::SmallPtrSet<const llvm::BasicBlock *, 32> &blocks_after(const llvm::BasicBlock &block);
  bool outlives_function(const llvm::LoadInst &load);
  bool is_clobbered(const llvm::LoadInst &load);

  llvm::BatchAAResults aliases_;
  bool leaves_function_;
  llvm::function_ref<bool(const llvm::Value &)> is_own_memory_;
  llvm::MapVector<const llvm::BasicBlock *, llvm::SmallVector<const llvm::Instruction *, 4>> writers_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallPtrSet<const llvm::BasicBlock *, 32>> after_;
  llvm::DenseMap<const llvm::LoadInst *, bool> known_;
};

} // namespace assay::engine
