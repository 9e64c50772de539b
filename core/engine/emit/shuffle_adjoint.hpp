#pragma once
// Adjoints of shuffles. Lane l gets the value of lane s(l), so the adjoint of lane j is the sum over the lanes l with
// s(l) == j. Where all lanes go the same distance there are two of them at most, the lane that the distance leads back
// to and the lane itself (which keeps its value where the distance leads out of its segment); else all lanes are asked.

#include "core/engine/emit/reverse_emitter.hpp"

namespace assay::engine {

bool has_shuffle_adjoint(const ForwardSweep &sweep, const llvm::Instruction &instruction);
void shuffle_needs(const ForwardSweep &sweep, const llvm::Instruction &shuffle,
                   llvm::function_ref<void(llvm::Value *)> need);
void emit_shuffle_adjoint(ReverseEmitter &emitter, const llvm::Instruction &shuffle);

} // namespace assay::engine
