#pragma once
// Names of global variables in device code: ptxas takes letters, digits, `_` and `$`.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// Shadows of globals that are seen from other files, as those of tables of virtual functions are, are called
/// `g$assay_tangent` where the engine itself says `g.assay_tangent`. LLVM respells names that are local to a file.
void respell_shadows(llvm::Module &module);

} // namespace assay::engine
