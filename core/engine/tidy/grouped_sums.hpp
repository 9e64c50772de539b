#pragma once
// Writes the groups of sums of the plan (plan/sum_groups.hpp) as one sum of several numbers: warp-aggregated ones
// (emit/grouped_warp_adds.hpp), and atomic ones at addresses that the thread's number counts
// (emit/shifted_warp_adds.hpp). So late because until then a sum may have turned out to be at a place of the thread's
// own (own_places.hpp), and the kernel is known that the derivative is a part of. Sums of a group that other code has
// come between stay alone. Warp-aggregated sums that are left alone are inlined.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class GroupedSumsPass : public llvm::PassInfoMixin<GroupedSumsPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<grouped-sums>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
