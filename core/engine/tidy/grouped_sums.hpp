#pragma once
// Warp-aggregated sums of one block whose addresses lie at constant distances become one sum of several numbers
// (emit/grouped_warp_adds.hpp); what is left alone is inlined.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class GroupedSumsPass : public llvm::PassInfoMixin<GroupedSumsPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<grouped-sums>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
