#pragma once
// Masked loads, stores, gathers and scatters, as the loads and stores of single lanes that they mean: each of those has
// a derivative, and its memory is known like that of any other access. Lanes whose mask is a constant need no branch.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool expand_masked_memory(llvm::Function &function);

} // namespace assay::engine
