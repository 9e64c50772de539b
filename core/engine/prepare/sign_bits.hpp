#pragma once
// Integer operations on the sign bit of a float become floating-point operations: x & ~sign is fabs(x), x ^ sign is -x,
// x | sign is -fabs(x). These are the same bits in the same place, so nothing changes but that the derivative is seen.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool rewrite_sign_bits(llvm::Function &function);

} // namespace assay::engine
