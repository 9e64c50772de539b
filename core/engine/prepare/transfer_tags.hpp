#pragma once
// Copies and fills of arrays of numbers may overwrite any memory for all that LLVM knows, pointers in structs among it,
// which then have to be read again behind each. Where the same array is read or written by index, the TBAA tag of those
// accesses says that it is numbers.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// Gives copies and fills the tag of the accesses to their array; true when there was one.
bool tag_transfers_of_floats(llvm::Function &function);

} // namespace assay::engine
