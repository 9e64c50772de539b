#pragma once
// Calls of the convention that are not lowered yet.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when `function`, or a direct callee, asks for derivatives that are not there yet.
bool asks_for_derivatives(llvm::Function &function);

} // namespace assay::engine
