#pragma once
// Whether code expects the memory that it is given to be aligned more strictly than numbers are: it accesses it as
// vectors, or says so to the compiler.

#include "llvm/IR/Function.h"

namespace assay::jit {

/// Of the function and all that it calls or mentions.
bool expects_alignment(const llvm::Function &function);

} // namespace assay::jit
