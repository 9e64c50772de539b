#pragma once
// Blocks from which the function can return. Blocks that can only end in an exception, an abort or an endless loop are
// run by the forward sweep and have no reverse.

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

class BlocksReachingReturn {
public:
  explicit BlocksReachingReturn(const llvm::Function &function) {
    llvm::SmallVector<const llvm::BasicBlock *, 8> pending;
    for (const llvm::BasicBlock &block : function)
      if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) {
        live_.insert(&block);
        pending.push_back(&block);
      }
    while (!pending.empty())
      for (const llvm::BasicBlock *before : llvm::predecessors(pending.pop_back_val()))
        if (live_.insert(before).second)
          pending.push_back(before);
  }
  bool contains(const llvm::BasicBlock *block) const { return live_.contains(block); }

private:
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> live_;
};

} // namespace assay::engine
