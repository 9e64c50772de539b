#pragma once
// Reloading: a load of the forward sweep may be repeated in the reverse sweep when nothing that runs after it, in the
// rest of the forward sweep, can have changed the memory; or when the stores that can have are undone by the reverse
// sweep on its way back, so that memory is again what it was.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// Whether a load can be repeated, and which stores have to be undone for that.
struct Reload {
  bool possible = false;
  llvm::SmallVector<llvm::StoreInst *, 2> undone{};
};

class ReloadAnalysis {
public:
  /// `harmless` are instructions that write nothing a load can see. With `leaves_function` the reverse sweep runs after
  /// the forward sweep's function has returned: memory that its caller can reach may change in between. `may_undo`
  /// tells stores that the reverse sweep would be able to undo.
  ReloadAnalysis(llvm::Function &sweep, llvm::AAResults &aliases,
                 const llvm::SmallPtrSetImpl<const llvm::Instruction *> &harmless, bool leaves_function,
                 llvm::function_ref<bool(const llvm::Value &)> is_own_memory,
                 llvm::function_ref<bool(llvm::StoreInst &)> may_undo);

  const Reload &find(const llvm::LoadInst &load);

private:
  const llvm::SmallPtrSet<const llvm::BasicBlock *, 32> &blocks_after(const llvm::BasicBlock &block);
  bool outlives_function(const llvm::LoadInst &load);
  Reload find_clobbers(const llvm::LoadInst &load);
  bool can_undo(llvm::StoreInst &store);
  /// Calls `visit` on what may write after `start`, until it returns false; false when it did.
  bool each_writer_after(const llvm::Instruction &start, llvm::function_ref<bool(llvm::Instruction &)> visit);

  llvm::BatchAAResults aliases_;
  bool leaves_function_;
  llvm::function_ref<bool(const llvm::Value &)> is_own_memory_;
  llvm::function_ref<bool(llvm::StoreInst &)> may_undo_;
  llvm::MapVector<const llvm::BasicBlock *, llvm::SmallVector<llvm::Instruction *, 4>> writers_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallPtrSet<const llvm::BasicBlock *, 32>> after_;
  llvm::DenseMap<const llvm::LoadInst *, Reload> known_;
  llvm::DenseMap<const llvm::StoreInst *, bool> undoable_;
};

} // namespace assay::engine
