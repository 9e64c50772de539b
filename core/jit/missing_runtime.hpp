#pragma once
// Gives bodies to functions that a language's runtime would bring and that this process does not have.

#include "llvm/IR/Module.h"

namespace assay::jit {

/// Functions that never return (Rust's panics) abort; Rust's allocation functions become malloc and its relatives;
/// OpenMP's answer as in one thread.
void define_missing_runtime(llvm::Module &module);

} // namespace assay::jit
