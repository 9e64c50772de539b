#pragma once
// Memory that the reverse sweep would release, while an exception may still keep it from running: tapes of callees that
// have returned, and memory whose release was moved to the reverse sweep. The forward sweep pledges it in a list beside
// the graveyard's. An exception that leaves a function releases what was pledged since the function began; where the
// whole gradient's forward sweep ends, the pledges are forgotten; or, in split mode, kept for a tape that is dropped.

#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/emit/tape.hpp"

namespace assay::engine {

/// True when an exception may pass through functions of the module, or when tapes are dropped in it.
bool needs_pledges(const llvm::Module &module);

/// Notes that the primal would release memory behind `place`. Shadows go with it.
void note_pledge(ForwardSweep &sweep, const llvm::CallBase &release, llvm::Instruction &place,
                 llvm::ArrayRef<llvm::Value *> memory);
/// Pledges memory at once; `release` is void(ptr memory, i64).
void pledge(ForwardSweep &sweep, llvm::IRBuilder<> &builder, llvm::Value *memory, llvm::Function &release);
/// Makes sure that there is a list where one is needed; before the sweep is planned.
void prepare_pledges(ForwardSweep &sweep);
/// Writes what was noted; after the sweep is planned.
void write_pledges(ForwardSweep &sweep);
/// Before the forward sweep hands over: it pledges its tape to its caller, or forgets all pledges.
void end_pledges(ForwardSweep &sweep, Tape &tape, llvm::IRBuilder<> &builder);
/// Where an exception leaves the forward sweep.
void release_pledges(const ForwardSweep &sweep, llvm::IRBuilder<> &builder);

} // namespace assay::engine
