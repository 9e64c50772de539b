#pragma once
// A FunctionSignature from an LLVM function and, where it has one, its debug information.

#include "core/jit/signature.hpp"
#include "llvm/IR/Function.h"

namespace assay::jit {

/// Throws BadRequest for a parameter or result that is neither a number nor a pointer to `pointees`.
FunctionSignature read_signature(const llvm::Function &function, Pointees pointees = Pointees::numbers);

} // namespace assay::jit
