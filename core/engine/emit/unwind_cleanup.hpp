#pragma once
// Memory that the reverse sweep would release, while an exception may still keep it from running: tapes of callees that
// have returned, and memory whose release was moved to the reverse sweep. The forward sweep enters it in a list of
// cleanups beside the deferred frees. An exception that leaves a function releases what was entered since the function
// began; where the whole gradient's forward sweep ends, the cleanups are forgotten; or, in split mode, kept for a tape
// that is dropped.

#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/emit/tape.hpp"

namespace assay::engine {

/// True when an exception may pass through functions of the module, or when tapes are dropped in it.
bool needs_unwind_cleanups(const llvm::Module &module);

/// Notes that the primal would release memory behind `place`. Shadows go with it.
void note_unwind_cleanup(ForwardSweep &sweep, const llvm::CallBase &release, llvm::Instruction &place,
                         llvm::ArrayRef<llvm::Value *> memory);
/// Registers a cleanup of memory at once; `release` is void(ptr memory, i64).
void add_unwind_cleanup(ForwardSweep &sweep, llvm::IRBuilder<> &builder, llvm::Value *memory, llvm::Function &release);
/// Makes sure that there is a list where one is needed; before the sweep is planned.
void prepare_unwind_cleanups(ForwardSweep &sweep);
/// Writes the noted cleanups; after the sweep is planned.
void write_unwind_cleanups(ForwardSweep &sweep);
/// Before the forward sweep hands over: it enters its tape in the list of its caller, or forgets all cleanups.
void end_unwind_cleanups(ForwardSweep &sweep, Tape &tape, llvm::IRBuilder<> &builder);
/// Where an exception leaves the forward sweep.
void release_unwind_cleanups(const ForwardSweep &sweep, llvm::IRBuilder<> &builder);

} // namespace assay::engine
