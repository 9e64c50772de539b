#pragma once
// Calls of functions with rules of <assay/rules.hpp>, in the forward sweep and in the reverse sweep. What the rule
// makes of them is written in place where it is a handful of instructions, so that the plan sees what the reverse sweep
// reads; otherwise it is a call of the rule's instance.

#include "core/engine/emit/forward_sweep.hpp"

namespace assay::engine {

class ReverseEmitter;

llvm::Error augment_by_template(ForwardSweep &sweep, const llvm::CallBase &call, const CallPlan &plan);
llvm::Error emit_template_reverse(ReverseEmitter &emitter, const llvm::CallBase &call, const AugmentedCall &record);

} // namespace assay::engine
