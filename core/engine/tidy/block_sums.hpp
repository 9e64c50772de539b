#pragma once
// Block-aggregated atomic sums: those of a kernel at addresses that are uniform over a block are added up in shared
// memory first (emit/block_table.hpp).
//
// Such sums wait in the table until the block is done, so nobody may read the places before: the memory behind the
// pointer is only added to in this kernel, and no other pointer that the kernel writes behind is the same, which the
// kernel asks for when it begins. By pointers into parts of one buffer another thread might read them behind a barrier:
// where one stands between a sum and a read of adjoints, the sums go to memory at once. So does that of a lane alone,
// which may be the only thread that means the place. Blocks of one warp, whose lanes add up what they have by shuffles,
// do without, and so do kernels in which some threads may return before a barrier that others wait at, and those that
// use dynamic shared memory or much of the static one.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class BlockSumsPass : public llvm::PassInfoMixin<BlockSumsPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<block-sums>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
