#pragma once
// The side effects and the control flow of a function's body, noted as attributes of the function for
// those who may not look into it.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// Notes whether `function`, with all that it calls, reads or writes memory of others, throws, and returns.
void note_effects(llvm::Function &function);

} // namespace assay::engine
