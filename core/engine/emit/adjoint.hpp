#pragma once
// Adjoints of instructions, one by one: whether there is one, the values of the forward sweep that it reads, and its
// code. The last two are kept side by side for each kind of instruction: every value that is read must have been asked
// for.

#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/forward_sweep.hpp"

namespace assay::engine {

class ReverseEmitter;

/// True when the reverse sweep has something to do for a prepared instruction.
bool has_adjoint(const ForwardSweep &sweep, const llvm::Instruction &instruction);

/// Calls `need` with every value of the forward sweep that the adjoint reads.
llvm::Error for_each_need(ForwardSweep &sweep, const llvm::Instruction &instruction,
                          llvm::function_ref<void(llvm::Value *)> need);

llvm::Error emit_adjoint(ReverseEmitter &emitter, const llvm::Instruction &instruction);

/// Where generated code claims to come from: the primal's line.
llvm::DebugLoc instruction_location(const ForwardSweep &sweep, const llvm::Instruction &prepared_instruction);

} // namespace assay::engine
