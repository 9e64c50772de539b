#pragma once
// Loops that copy or swap memory byte by byte move floats in pieces that have no derivative. As copies, or unrolled and
// put together again, they move whole values.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// True when the function has such loops; they are rewritten where their form allows it.
bool rewrite_byte_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
