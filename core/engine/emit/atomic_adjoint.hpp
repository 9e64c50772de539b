#pragma once
// Adjoints of atomic updates of memory with a shadow.
//
//   old = atomic add(p, v)         v' += *p'           *p' += old'
//   old = atomic subtract(p, v)    v' -= *p'           *p' += old'
//
// Where threads of a device update one place, the order in which they do so is not known: what the old value depends on
// is not known either, and neither is whose value an exchange leaves. Such code is refused.

#include "core/engine/emit/reverse_emitter.hpp"

namespace assay::engine {

bool has_atomic_adjoint(const ForwardSweep &sweep, const llvm::Instruction &update);
llvm::Error atomic_needs(ForwardSweep &sweep, const llvm::Instruction &update,
                         llvm::function_ref<void(llvm::Value *)> need);
llvm::Error emit_atomic_adjoint(ReverseEmitter &emitter, const llvm::Instruction &update);

} // namespace assay::engine
