#pragma once
// Rare work in loops. Where arguments overlap, a gradient has to do more in each iteration: behind a condition that no
// iteration changes, it calls a function that is marked as rare. A nest of loops with such calls gets a copy, and the
// conditions are asked once, before both: the nest itself runs where all of them are false and becomes as simple as if
// nothing could overlap; the copy runs where any is true.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// Leaves no analyses behind when it changes something.
class OverlapLoopVersioningPass : public llvm::PassInfoMixin<OverlapLoopVersioningPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
