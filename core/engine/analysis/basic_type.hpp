#pragma once
// Basic types of LLVM's scalars, and their sizes.

#include "core/engine/analysis/types.hpp"
#include "llvm/IR/DataLayout.h"

namespace assay::engine {

BasicType integer_type();
BasicType pointer_type();
/// The basic type of a scalar; unknown for integers that may carry anything is left to the caller.
BasicType basic_type(llvm::Type *scalar);
/// Bytes that a basic type takes in memory: pointers 8, integers 4 (they are recorded by words).
std::uint64_t byte_size(BasicType type, const llvm::DataLayout &layout);

} // namespace assay::engine
