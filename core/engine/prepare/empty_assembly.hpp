#pragma once
// Inline assembly without text is a barrier for the optimiser and nothing else: what goes in as an operand comes out of
// the output that is tied to it.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// Assembly with an output that no input is tied to stays.
void remove_empty_assembly(llvm::Function &function);

} // namespace assay::engine
