#pragma once
// A user's reverse rule knows one lane. At a width above 1 its reverse pass runs once for each lane. So does its
// augmented pass where that leaves the memory of its arguments as it is; otherwise it must run only once, and all lanes
// read the one tape, which only the last of them may release.

#include "core/engine/plan/derivative_source.hpp"
#include "llvm/ADT/SmallBitVector.h"

namespace assay::engine {

/// True when `function`, called again, may find its primal arguments changed by the first call. What is behind the
/// parameters in `shadows` may change.
llvm::Expected<bool> may_write_arguments(DerivativeSource &engine, llvm::Function &function,
                                         const llvm::SmallBitVector &shadows = {});

/// A copy of `reverse` that releases no memory but its own allocations.
llvm::Function &without_releases(llvm::Function &reverse, const FunctionInfo &function_info);

} // namespace assay::engine
