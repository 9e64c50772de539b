#pragma once
// Shadows of memory that the primal releases. They are still needed by the reverse sweep, so the forward sweep only
// notes them, and the whole gradient releases them at its end: a combined derivative owns the list, the augmented
// functions that it calls are handed it. An augmented function that a program calls itself is handed null; its list is
// part of its tape, and the reverse half releases it.
//
// Derivatives of derivatives leave these calls as they are, since the list holds no numbers. The shadows of what is
// buried are buried beside it, in the same list in forward mode; where reverse mode is applied to a list, its own
// reverse sweep still reads what is in it, so that the entries move on to its own list.

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// void bury(ptr list, ptr shadow, ptr release, i64 other): notes that release(shadow, other) is due. `list` has
/// tape_state_type, or is null.
llvm::Function *bury_function(llvm::Module &module);
/// void release(ptr list): calls the entries and frees the list.
llvm::Function *release_buried_function(llvm::Module &module);
/// void move(ptr list, ptr to): the entries move to the other list; frees the list.
llvm::Function *move_buried_function(llvm::Module &module);
/// void release(ptr list, i64 from): calls the entries from that position on, and takes them out of the list.
llvm::Function *unwind_cleanup_release_function(llvm::Module &module);

} // namespace assay::engine
