#pragma once
// Internal procedures that are passed on: their variables are those of the procedure around them.

#include "llvm/IR/Module.h"

namespace assay::jit {

/// A trampoline is machine code that the program writes to the stack, which the JIT's stack does not allow, and a
/// function that nobody knows. Whoever is passed one becomes a copy that calls the internal procedure itself and is
/// passed the variables as well. Where the address is kept in memory, or handed to code of which there is no body, a
/// call of it tells that and ends the program.
void replace_trampolines(llvm::Module &module);

} // namespace assay::jit
