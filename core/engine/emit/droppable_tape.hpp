#pragma once
// Tapes that may be dropped. At a split derivative with enzyme_drop_list the program hands both halves six words, which
// are zero before: the lists that a derivative hands to its callees (deferred_frees.hpp, unwind_cleanup.hpp), for the
// shadows to release and for the cleanups. The augmented half registers a cleanup for everything that the reverse half
// would release;
// `__enzyme_drop_tape(list)` releases it. A reverse half leaves the lists empty.
//
// Inside of what is differentiated nothing is dropped (prepare/dropped_tapes.hpp).

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// True where something in the module drops tapes.
bool drops_tapes(const llvm::Module &module);
/// After the reverse half: releases the shadows that were listed, forgets the cleanups.
void end_lists(llvm::IRBuilderBase &builder, llvm::Value *lists);
/// Gives `__enzyme_drop_tape` its body, once everything is differentiated.
void write_drops(llvm::Module &module);

} // namespace assay::engine
