#pragma once
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Warns of rules that the source file itself registers (not a header of its) and that no derivative of it uses. To be
/// called when all derivatives are written.
void warn_of_unused_rules(llvm::Module &module);

/// True for code of rules of headers that nothing in the file calls, nor the functions that they are for: what it asks
/// for is asked again where it is called.
bool serves_only_uncalled_rules(llvm::Function &function);

} // namespace assay::engine
