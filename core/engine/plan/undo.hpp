#pragma once
// Undoing: on its way back, the reverse sweep may put back the value that a store overwrote. Loads from before the
// store can then be repeated, as long as they are repeated behind it on the way back: at no place that the store runs
// before.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

class UndoOrder {
public:
  /// True when, after `load` and before it runs again, `store` can run and `place` be reached after that.
  bool comes_between(const llvm::LoadInst &load, const llvm::Instruction &store, const llvm::Instruction &place);

private:
  using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 16>;
  /// Blocks that control can reach from the end of `start` without entering `barrier`.
  const Blocks &reachable(const llvm::BasicBlock &start, const llvm::BasicBlock &barrier);

  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, Blocks> reachable_;
};

} // namespace assay::engine
