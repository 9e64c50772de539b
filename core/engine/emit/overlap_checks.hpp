#pragma once
// Writes the plan's overlap checks.

#include "core/engine/plan/overlap_check.hpp"

namespace assay::engine {

/// One i1 for each check: false when the store's memory is not that of any of the loads.
llvm::SmallVector<llvm::Instruction *, 4> write_overlap_checks(llvm::ArrayRef<OverlapCheck> checks,
                                                               llvm::ScalarEvolution &evolution);

} // namespace assay::engine
