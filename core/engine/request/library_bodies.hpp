#pragma once
// Bodies for functions of which a program sees only declarations, and which are best differentiated as if it saw more:
// the C++ library's tree and list links change pointers to active memory, and the links of the shadows must follow.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// Gives the declarations of known functions a body that does the same. The body is there to be read only
/// (available_externally): the program still links to the library's function.
void add_library_bodies(llvm::Module &module);

} // namespace assay::engine
