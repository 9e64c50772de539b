#pragma once
// LLVM's passes over a derivative that was just written, in bundles. Adjoints live in stack slots until here; these
// turn them into values and remove what no one reads.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// Memory of the function's own becomes values, block by block.
llvm::PreservedAnalyses make_scalars(llvm::Function &derivative, llvm::FunctionAnalysisManager &analyses);
/// Loops as well.
llvm::PreservedAnalyses simplify_derivative(llvm::Function &derivative, llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
