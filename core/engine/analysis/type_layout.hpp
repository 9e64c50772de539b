#pragma once
// The evidence that the layout of an LLVM type gives for the memory of an object of it.

#include "core/engine/analysis/evidence.hpp"
#include "core/engine/analysis/memory_graph.hpp"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DataLayout.h"

namespace assay::engine {

/// Calls `visit` with the type's own evidence for every word of it that an object of type `type` at `at` is known to
/// have: scalars and the padding of structs (integers, so that it does not look unknown).
void for_each_layout_evidence(llvm::Type *type, OffsetSet at, const llvm::DataLayout &layout,
                              llvm::function_ref<void(OffsetSet, Evidence)> visit);
/// Calls `visit(offset, scalar type)` for every scalar of `type`; elements of arrays come with the stride of the array.
void for_each_scalar(llvm::Type *type, OffsetSet at, const llvm::DataLayout &layout,
                     llvm::function_ref<void(OffsetSet, llvm::Type *)> visit);

} // namespace assay::engine
