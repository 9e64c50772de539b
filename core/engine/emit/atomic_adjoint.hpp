#pragma once
// Adjoints of atomic updates of memory with a shadow.
//
//   old = atomic add(p, v)         v' += *p'           *p' += old'
//   old = atomic subtract(p, v)    v' -= *p'           *p' += old'
//
// Where threads of a device update one place, the order in which they do so is not known, and so the old value may not
// take part in the derivative. In code of a device, further:
//
//     old = atomic exchange(p, v)    v' += exchange(p', old')
//     a choice of v at p             v' += exchange(p', 0)  where *p == v in the end   (analysis/atomic_choice.hpp)
//
// An exchange goes back through the old value, as it does for one thread; of several at one place the order is not
// known.

#include "core/engine/emit/reverse_emitter.hpp"

namespace assay::engine {

bool has_atomic_adjoint(const ForwardSweep &sweep, const llvm::Instruction &update);
llvm::Error atomic_needs(ForwardSweep &sweep, const llvm::Instruction &update,
                         llvm::function_ref<void(llvm::Value *)> need);
llvm::Error emit_atomic_adjoint(ReverseEmitter &emitter, const llvm::Instruction &update);

} // namespace assay::engine
