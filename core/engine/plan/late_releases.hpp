#pragma once
// Which allocations are released late. The shadow of an allocation must live until the reverse sweep has passed the
// allocation; so must the allocation itself when its content is read again. When it never leaves the function, its
// releases are dropped from the forward sweep and both are released where the reverse sweep passes the allocation. So
// is stack memory that became heap memory without a release of its own.

#include "core/engine/support/function_info.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

struct LateReleases {
  llvm::SmallPtrSet<const llvm::CallBase *, 8> allocations; ///< Released by the reverse sweep.
  llvm::SmallPtrSet<const llvm::CallBase *, 8> dropped;     ///< Releases of the primal that are left out.
};

LateReleases find_late_releases(llvm::Function &prepared, const FunctionInfo &function_info);

} // namespace assay::engine
