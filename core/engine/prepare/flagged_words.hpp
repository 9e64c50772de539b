#pragma once
// Words that hold a number or an address with flags beside it, as their bits tell the program (NaN boxing): the shadow
// of such a word would be a shadow address with the same flags, or an adjoint, and its own bits do not tell which.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// An error where the function makes both a number and an address of one word.
llvm::Error refuse_flagged_words(const llvm::Function &function);

} // namespace assay::engine
