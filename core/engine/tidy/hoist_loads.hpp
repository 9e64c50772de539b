#pragma once
// Loads of one place that a loop repeats because of stores beside it:
//
//   for j > k:  a[i * n + j] -= a[i * n + k] * a[k * n + j]
//
// Alias analysis takes one element of an array for any other. Where the distance between both, as a function of the
// loop's counters, is never less than an element, the load moves in front of the loop. What vectorisers have to ask
// before the loop does not fail because of it then.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// In innermost loops of derivatives, before the vectorisers.
struct HoistLoadsPass : llvm::PassInfoMixin<HoistLoadsPass> {
  static llvm::StringRef name() { return "assay-tidy<hoist-loads>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
