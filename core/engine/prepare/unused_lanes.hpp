#pragma once
// Lanes of float vectors that nobody reads get numbers. The optimiser leaves poison there; their adjoint is zero, and
// zero times poison is poison, which would go on to the lanes' inputs.

#include "llvm/IR/Function.h"

namespace assay::engine {

void fill_unused_lanes(llvm::Function &function);

} // namespace assay::engine
