#pragma once
// Exchanges byte by byte, as in `byte_swaps.hpp`, whose loop the optimiser has unrolled: the same four accesses again
// and again, each time one byte further.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when an exchange was rewritten.
bool rewrite_unrolled_swaps(llvm::Function &function);

} // namespace assay::engine
