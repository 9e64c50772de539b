#pragma once
// Which allocations are released late. The shadow of an allocation must live until the reverse sweep has passed the
// allocation; so must the allocation itself when its content is read again. When it never leaves the function, its
// releases are dropped from the forward sweep and both are released where the reverse sweep passes the allocation. So
// is stack memory that became heap memory without a release of its own.

#include "core/engine/request/knowledge.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

struct LateReleases {
  llvm::SmallPtrSet<const llvm::CallBase *, 8> allocations; ///< Released by the reverse sweep.
  llvm::SmallPtrSet<const llvm::CallBase *, 8> dropped;     ///< Releases of the primal that are left out.
};

/// True when an address is only compared, or its distance from another one is taken.
bool is_only_measured(const llvm::PtrToIntInst &address);

LateReleases find_late_releases(llvm::Function &prepared, const Knowledge &knowledge);

/// True when a call may release memory: a release itself, or a function of this module that contains one at any depth.
bool may_release(const llvm::CallBase &call, const Knowledge &knowledge);

/// A call that gives memory back.
struct Release {
  llvm::FunctionCallee function;
  unsigned pointer = 0;                         ///< Which argument is the memory.
  llvm::SmallVector<llvm::Value *, 1> others{}; ///< The other arguments: an alignment, a size, a pool.

  llvm::SmallVector<llvm::Value *, 2> arguments(llvm::Value *memory) const;
};

/// Of the release (free, operator delete, a registered deallocator) that belongs to `allocation`, or that `release` is.
/// Other arguments are those of the given call.
Release release_of_allocation(const llvm::CallBase &allocation, const Knowledge &knowledge);
Release same_release(const llvm::CallBase &release, const Knowledge &knowledge);

/// The same release with at most one other argument as void(ptr memory, i64 other), to be kept in a list; null when
/// there are more.
llvm::Function *release_thunk(llvm::Module &module, Release release);

} // namespace assay::engine
