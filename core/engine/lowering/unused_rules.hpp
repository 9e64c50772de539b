#pragma once
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Warns of rules that the source file itself registers (not a header of its) and that no derivative of it uses. To be
/// called when all derivatives are written.
void warn_of_unused_rules(llvm::Module &module);

} // namespace assay::engine
