#pragma once
// Sums of one block whose addresses lie at constant distances become one sum of several numbers: warp-aggregated ones
// (emit/grouped_warp_adds.hpp), and atomic ones at addresses that the thread's number counts
// (emit/shifted_warp_adds.hpp). Warp-aggregated sums that are left alone are inlined.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class GroupedSumsPass : public llvm::PassInfoMixin<GroupedSumsPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<grouped-sums>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
