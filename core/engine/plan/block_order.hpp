#pragma once
// Where the code of a kernel orders the blocks of one launch by itself: the last block to come reads what the others
// have written behind a fence (`__threadfence()` and an atomic counter), or blocks take turns behind a lock
// (`atomicCAS`). The reverse sweep would have to run the blocks in the opposite order, which one launch cannot.

#include "core/engine/analysis/activity.hpp"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// Fails at the first read of active memory that depends on such an order.
llvm::Error check_order_of_blocks(const llvm::Function &prepared, const ActivityAnalysis &activity);

} // namespace assay::engine
