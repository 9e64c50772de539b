#pragma once
// Tidy: the function simplification pipeline on a derivative that was just written. Adjoints live in stack slots until
// here; this turns them into values and removes what no one reads.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// Of a function whose loops ask again and again what does not change in them.
inline constexpr llvm::StringLiteral loops_to_unswitch_attribute = "assay-unswitch";

void tidy(llvm::Function &derivative, llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
