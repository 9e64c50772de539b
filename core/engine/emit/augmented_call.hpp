#pragma once
// An active call in the forward sweep: replaced by the augmented primal of its callee, written by the engine or
// registered by the user.

#include "core/engine/emit/forward_sweep.hpp"

namespace assay::engine {

/// Replaces the sweep's copy of `call`, records the AugmentedCall, and gives `call` its primal value and shadow.
llvm::Error augment_call(ForwardSweep &sweep, const llvm::CallBase &call, const CallPlan &plan);

} // namespace assay::engine
