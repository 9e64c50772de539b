#pragma once
// Where the lanes of a batch can be confused: in the last lane, and in one in the middle.

#include "core/jit/mutate/find_sites.hpp"

namespace assay::jit {

/// `width` is at least 2.
llvm::SmallVector<Site, 64> find_lane_sites(llvm::Function &written, unsigned width);

} // namespace assay::jit
