#pragma once
// Loops with two kinds of sums. The primal's sums keep their order, so that its result keeps its bits; nothing asks for
// an order of tangents. A loop with both is not made into vectors, because of the former:
//
//   for k:  s += a[k] * b[k];  s' += a'[k] * b[k] + a[k] * b'[k]
//
// Where neither waits for the other, memory is only read, and the sums of tangents read it in order, they get a loop of
// their own, which the vectoriser takes. What both need is computed twice, so it has to be cheap.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// To be run before the vectoriser of loops.
struct SeparateSumsPass : llvm::PassInfoMixin<SeparateSumsPass> {
  static llvm::StringRef name() { return "assay-tidy<separate-sums>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
