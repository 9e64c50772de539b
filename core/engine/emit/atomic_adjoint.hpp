#pragma once
// Adjoints of atomic updates of memory with a shadow, in the forms of plan/atomic_updates.hpp.

#include "core/engine/emit/reverse_emitter.hpp"

namespace assay::engine {

llvm::Error atomic_needs(ForwardSweep &sweep, const llvm::Instruction &instruction, const AtomicUpdate &update,
                         llvm::function_ref<void(llvm::Value *)> need);
llvm::Error emit_atomic_adjoint(ReverseEmitter &emitter, const llvm::Instruction &instruction,
                                const AtomicUpdate &update);

} // namespace assay::engine
