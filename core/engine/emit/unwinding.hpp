#pragma once
// Exceptions that leave a derivative. The engine's allocations for the sweeps are released on their way out, as a
// destructor would: calls that may throw get a landing pad for it, and exceptions that the program's own landing pads
// hand on pass the same release.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// True for a call through which an exception may come; running out of memory does not count.
bool may_unwind(const llvm::CallBase &call);

/// `release` writes the release at each place where an exception can leave `function`: `calls` are those that may
/// throw.
void release_on_unwind(llvm::Function &function, llvm::ArrayRef<llvm::CallInst *> calls,
                       llvm::function_ref<void(llvm::IRBuilder<> &)> release);

} // namespace assay::engine
