#pragma once
// The reverse of calls: active calls run the callee's reverse sweep with the tape that its augmented form returned;
// allocations whose release was deferred are released.

#include "core/engine/emit/forward_sweep.hpp"

namespace assay::engine {

class ReverseEmitter;

bool has_call_adjoint(const ForwardSweep &sweep, const llvm::CallBase &call);
void call_needs(const ForwardSweep &sweep, const llvm::CallBase &call, llvm::function_ref<void(llvm::Value *)> need);
llvm::Error emit_call_adjoint(ReverseEmitter &emitter, const llvm::CallBase &call);

} // namespace assay::engine
