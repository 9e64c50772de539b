#pragma once
// Raw rules that follow pointers in the shadow of a struct. Where such a pointer leads to constant memory, the shadow
// has the pointer of the primal, and the rule would take the numbers for their own derivatives.

#include "core/engine/analysis/activity.hpp"

namespace assay::engine {

/// An error where `rule` is seen to reach, through a shadow, numbers that carry no derivative at `call`. `has_shadow`
/// says of each argument whether the rule has a parameter for its shadow.
llvm::Error refuse_constants_behind_shadows(const llvm::CallBase &call, const llvm::Function &rule,
                                            llvm::function_ref<bool(const llvm::Use &)> has_shadow,
                                            const ActivityAnalysis &activity);

} // namespace assay::engine
