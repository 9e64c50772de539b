#pragma once
// Adjoints of memory accesses. Shadows accumulate: a load adds its adjoint to the shadow; a store takes the shadow's
// content as the adjoint of the stored value and zeroes it; a copy does both.

#include "core/engine/emit/forward_sweep.hpp"

namespace assay::engine {

class ReverseEmitter;

/// For stores and memory intrinsics: they move floating-point data in memory that has a shadow.
bool has_memory_adjoint(const ForwardSweep &sweep, const llvm::Instruction &instruction);
llvm::Error memory_needs(ForwardSweep &sweep, const llvm::Instruction &instruction,
                         llvm::function_ref<void(llvm::Value *)> need);
/// shadow += adjoint, with an access of the load's kind.
void add_to_shadow(ReverseEmitter &emitter, const llvm::LoadInst &load, llvm::Value *shadow, llvm::Value *adjoint);
llvm::Error emit_memory_adjoint(ReverseEmitter &emitter, const llvm::Instruction &instruction);

} // namespace assay::engine
