#pragma once
// (x + 2^52) - 2^52 rounds x to an integer: its derivative is zero, not that of the sum.
//
// Vector libraries round so where the processor has no instruction for it, within floor and in the reduction of the
// argument of exp and sin. Recognised are the number that has no bits for fractions, and one and a half times a large
// power of two, which nothing else is written with.

#include "llvm/IR/Function.h"

namespace assay::engine {

void rewrite_rounding_sums(llvm::Function &function);

} // namespace assay::engine
