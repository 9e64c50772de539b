#pragma once
// What is read of a copy: where its memory is allocated in the same function and nobody else sees it, all that is ever
// read of it is there to be seen. Whatever else is copied does not matter, and needs no type.

#include "core/engine/analysis/types.hpp"

namespace assay::engine {

using CopyReads = llvm::SmallVector<RepeatedField, 8>;

/// The numbers and addresses that are read, by their offsets from `target`, to which is copied; nothing where a read is
/// not seen, where its place or type is not clear or no multiple of its size, or where two of them overlap.
std::optional<CopyReads> reads_of_copy(const llvm::Value &target, const llvm::DataLayout &layout);

/// The one type, float or double, of all of them; null where there are others or none.
llvm::Type *only_type(const CopyReads &reads);

} // namespace assay::engine
