#pragma once
// Which operand a maximum or minimum took, as a truth value of the forward sweep (plan/noted_extrema.hpp).

#include "core/engine/emit/reverse_emitter.hpp"

namespace assay::engine {

/// Adds the truth values to the sweep.
void write_extremum_choices(ForwardSweep &sweep);

/// Whether the first operand was taken; null where the operands have to be compared.
llvm::Value *extremum_choice(const ForwardSweep &sweep, const llvm::Instruction &extremum);

void emit_extremum(ReverseEmitter &emitter, const llvm::Instruction &extremum, llvm::Value *choice);

} // namespace assay::engine
