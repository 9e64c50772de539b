#pragma once
// Barriers in the reverse sweep. What a thread writes before a barrier others read behind it; adjoints go the other
// way, so the reverse sweep has the same barrier, with the same number, in the mirrored place.

#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/support/synchronisation.hpp"

namespace assay::engine {

bool is_mirrored(const llvm::Instruction &instruction);
/// Fails for barriers that cannot be mirrored.
llvm::Error mirrored_barrier_needs(const ForwardSweep &sweep, const llvm::Instruction &barrier,
                                   llvm::function_ref<void(llvm::Value *)> need);
void emit_mirrored_barrier(ReverseEmitter &emitter, const llvm::Instruction &barrier);

} // namespace assay::engine
