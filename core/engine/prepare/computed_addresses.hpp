#pragma once
// Pointers that are computed as integers, as programs round addresses up to a multiple of 32 or keep flags in their low
// bits: p becomes p + (integer - address of p). The shadow moves by the same distance, wherever it lies.

#include "llvm/IR/Function.h"

namespace assay::engine {

void rewrite_computed_addresses(llvm::Function &function);

} // namespace assay::engine
