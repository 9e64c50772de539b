#pragma once
// The high half of a float's bits is a bfloat. Where the device has no instruction for it, the toolkit rounds to bfloat
// so, on integers: it cuts the low half off and adds one to the rest, or does not. The rest is made a number, which
// grows as the float does, along with what chooses among such numbers.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool rewrite_rounded_bfloats(llvm::Function &function);

} // namespace assay::engine
