#pragma once
// Intrinsics of x86's vector instructions, written with LLVM's general operations, which have derivatives.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool expand_vector_intrinsics(llvm::Function &function);

} // namespace assay::engine
