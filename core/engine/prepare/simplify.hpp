#pragma once
// LLVM's passes over a function that is prepared, in bundles.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// Memory becomes values, loops are rotated, unused code goes. No branch becomes a computation of both sides.
void simplify(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/// One exit, reducible loops in simplified LCSSA form.
void make_loops_canonical(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

bool has_irreducible_cycle(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
