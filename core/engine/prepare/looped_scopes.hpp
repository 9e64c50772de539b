#pragma once
#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// Drops the noalias scopes (of inlined `restrict` parameters) that are declared within a loop: they hold in one
/// iteration alone, and the plan asks alias analysis about accesses of all iterations. True when something changed.
bool drop_looped_scopes(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
