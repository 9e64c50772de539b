#pragma once
// Calls of aliases as calls of the functions that they name. A class whose constructor is not inline has it under two
// names, and callers use the alias.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// Aliases that another file may define otherwise are left alone.
void call_behind_aliases(llvm::Module &module);

} // namespace assay::engine
