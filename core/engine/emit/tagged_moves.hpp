#pragma once
// Adjoints of tagged copies (analysis/tagged_copies.hpp), for reverse over reverse mode: calls of the augmented and
// reverse halves in core/engine/library/word_adjoints.c.

#include "core/engine/emit/forward_sweep.hpp"

namespace assay::engine {

class ReverseEmitter;

/// True of a call of such a helper on memory that has a shadow.
bool is_tagged_move(const ForwardSweep &sweep, const llvm::Instruction &instruction);

/// Moves the shadows of addresses, and keeps a record of the words' kinds where the reverse sweep has to know them.
llvm::Error write_tagged_move(ForwardSweep &sweep, const llvm::CallBase &call);

void tagged_move_needs(ForwardSweep &sweep, const llvm::CallBase &call, llvm::function_ref<void(llvm::Value *)> need);

llvm::Error emit_tagged_move_adjoint(ReverseEmitter &emitter, const llvm::CallBase &call);

} // namespace assay::engine
