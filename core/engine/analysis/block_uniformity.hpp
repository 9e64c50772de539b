#pragma once
// Which values are the same for all threads of a block. LLVM's uniformity analysis with sources of its own: that of the
// target takes the number of the block and the size of the launch for values that differ, too.

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"

namespace assay::engine {

class BlockUniformity {
public:
  explicit BlockUniformity(llvm::Function &function);

  bool is_uniform(const llvm::Value &value) const { return info_.isUniform(&value); }
  /// Whether threads may go different ways at the end of the block of code.
  bool branches_by_thread(const llvm::BasicBlock &block) { return info_.hasDivergentTerminator(block); }

private:
  llvm::DominatorTree dominators_;
  llvm::CycleInfo cycles_;
  llvm::TargetTransformInfo sources_;
  llvm::UniformityInfo info_;
};

} // namespace assay::engine
