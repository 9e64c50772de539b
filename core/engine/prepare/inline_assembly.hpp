#pragma once
// Inline assembly of one arithmetic instruction becomes the operation that it stands for.
//
// Vector libraries write single x86 instructions (maxpd, vfmadd231pd, sqrtsd) and empty statements that only hold back
// the optimiser. In the clone these are ordinary operations, so that rules and analyses know them. Other assembly
// stays.

#include "llvm/IR/Function.h"

namespace assay::engine {

void rewrite_inline_assembly(llvm::Function &function);

} // namespace assay::engine
