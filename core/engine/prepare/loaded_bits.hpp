#pragma once
// Memory that is used both for pointers and for other things makes the optimiser turn the bits of those others into
// pointers, only to store them. They are stored as they were loaded, so that their own type is found.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True where that changes something.
bool store_bits_as_loaded(llvm::Function &function);

} // namespace assay::engine
