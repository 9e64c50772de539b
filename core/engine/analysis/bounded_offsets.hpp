#pragma once
// The byte offsets of indices that run over a few values: `v[i].p[k]` with k from 0 to 2 reaches no further than p,
// which base + n * stride cannot say.

#include "core/engine/analysis/memory_graph.hpp"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace assay::engine {

using OffsetSets = llvm::SmallVector<OffsetSet, 4>;

/// All values of the variable of a loop with constant bounds, in their order; none where there are many or where
/// nothing tells.
llvm::SmallVector<std::int64_t, 4> values_of_counter(const llvm::PHINode &counter);
/// What the indices of a GEP add: one set for each value of its counters.
OffsetSets bounded_offsets(const llvm::GEPOperator &gep, const llvm::DataLayout &layout);

} // namespace assay::engine
