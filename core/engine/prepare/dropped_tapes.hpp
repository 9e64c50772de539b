#pragma once
// Inside of differentiated code, `__enzyme_drop_tape` does nothing: the derivative's own reverse sweep may still
// read the tape.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// Whether the function is `void __enzyme_drop_tape(void *)`.
bool drops_tape(const llvm::Function &function);
void keep_dropped_tapes(llvm::Function &function);

} // namespace assay::engine
