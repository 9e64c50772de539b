#pragma once
// Innermost loops that compute so many tangents (lanes) at once that their addresses do not fit into registers become
// several, each for a few lanes (lane_parts.hpp), and so do those with more sums than registers. Where primal memory
// that the loop writes may be what lanes read, it is asked before it; a copy of the loop runs as it was where it is.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// To be run before the vectorisers.
struct SplitLanesPass : llvm::PassInfoMixin<SplitLanesPass> {
  static llvm::StringRef name() { return "assay-tidy<split-lanes>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
