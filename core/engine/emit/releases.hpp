#pragma once
// Which allocations are released late. The shadow of an allocation must live until the reverse sweep has passed the
// allocation; so must the allocation itself when its content is read again. When it never leaves the function, its
// releases are dropped from the forward sweep and both are released where the reverse sweep passes the allocation.

#include "core/engine/request/knowledge.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

struct LateReleases {
  llvm::SmallPtrSet<const llvm::CallBase *, 8> allocations; ///< Released by the reverse sweep.
  llvm::SmallPtrSet<const llvm::CallBase *, 8> dropped;     ///< Releases of the primal that are left out.
};

LateReleases find_late_releases(llvm::Function &prepared, const Knowledge &knowledge);

/// True when a call may release memory: a release itself, or a function of this module that contains one at any depth.
bool may_release(const llvm::CallBase &call, const Knowledge &knowledge);

/// The function that releases what `allocation` allocates (free, the matching operator delete).
llvm::FunctionCallee release_function(const llvm::CallBase &allocation, const Knowledge &knowledge);

/// Of a release (free, any operator delete), the function of one pointer that releases memory of the same origin.
llvm::FunctionCallee plain_release_function(const llvm::CallBase &release, const Knowledge &knowledge);

} // namespace assay::engine
