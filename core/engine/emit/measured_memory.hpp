#pragma once
// Functions that measure blocks of memory, beside shadows.

#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// The primal's `call` of malloc_usable_size gives the size that its block and the blocks of all its shadows have: of
/// two blocks of one size, one may have some bytes more. Null pointers do not count. Returns its replacement.
llvm::Value *measure_shadows_too(llvm::CallBase &call, llvm::ArrayRef<llvm::Value *> shadows);

} // namespace assay::engine
