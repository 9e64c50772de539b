#pragma once
// Shadows of memory that the primal releases. They are still needed by the reverse sweep, so the forward sweep only
// notes them, and the whole gradient releases them at its end: a combined derivative owns the list, the augmented
// functions that it calls are handed it. An augmented function that a program calls itself is handed null; its list is
// part of its tape, and the reverse half releases it.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// void bury(ptr list, ptr shadow, ptr release, i64 other): notes that release(shadow, other) is due. `list` has
/// tape_state_type, or is null.
llvm::Function *bury_function(llvm::Module &module);
/// void release(ptr list): calls what is due and frees the list.
llvm::Function *release_buried_function(llvm::Module &module);
/// void release(ptr list, i64 from): calls what is noted from that position on, and takes it out of the list.
llvm::Function *release_pledged_function(llvm::Module &module);

} // namespace assay::engine
