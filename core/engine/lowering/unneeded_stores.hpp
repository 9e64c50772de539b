#pragma once
// Memory of which a derivative's caller needs nothing but the shadow (`enzyme_dupnoneed`): where nothing that the
// derivative reads of it counts, nothing is written to it either, and it need not be there.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// A copy of `derivative` that neither writes nor reads memory through the pointers of `parameters`; `derivative`
/// itself where what it reads through one of them goes anywhere else than back to that memory.
llvm::Function &without_unneeded_stores(llvm::Function &derivative, llvm::ArrayRef<unsigned> parameters);

} // namespace assay::engine
