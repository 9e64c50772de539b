#pragma once
// Internal procedures that are passed on: their variables are those of the procedure around them.

#include "llvm/IR/Module.h"

namespace assay::jit {

/// Machine code that is written to the stack when the program runs, which the JIT's stack does not allow and whose
/// callee is not known, becomes a function that finds the variables through a global. A procedure that is called again
/// while an address of its internal procedure is in use ends the program.
void replace_trampolines(llvm::Module &module);

} // namespace assay::jit
