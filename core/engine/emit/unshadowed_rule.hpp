#pragma once
// A rule of the user's takes a shadow for each pointer. Memory that carries no derivative has none: the rule is copied,
// and in the copy the numbers of that shadow are zero, and stores to it are gone.

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/Function.h"

namespace assay::engine {

/// A copy of `rule` (a registered augmented, reverse or forward function, or a function that one calls) with the same
/// parameters, in which those of `shadows` are shadows of constant memory. Null may be passed for them: the copy reads
/// and writes nothing there. Null where a body is missing or the address of such a shadow is kept.
llvm::Function *without_shadows(llvm::Function &rule, const llvm::SmallBitVector &shadows);

} // namespace assay::engine
