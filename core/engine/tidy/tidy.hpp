#pragma once
// Tidy: the function simplification pipeline on a derivative that was just written. Adjoints live in stack slots until
// here; this turns them into values and removes what no one reads.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

void tidy(llvm::Function &derivative, llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
