#pragma once
// C programs cast a pointer to a function to a type whose result is another integer: a comparison that returns int
// where the caller reads a bool. The C++ library's coroutine that does nothing is a function that takes no frame.
// Calling conventions make that work, and so do adapters here, which have the caller's type.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// The functions that `is_reachable` accepts and that differ from the type of `call` in the width of an integer result,
/// or in the frame that they do not take where a coroutine is called.
llvm::SmallVector<llvm::Function *, 4>
functions_of_other_prototypes(const llvm::CallBase &call,
                              llvm::function_ref<bool(const llvm::Function &)> is_reachable);

/// Before `call` the comparison with `callee` and, where it holds, a call of an adapter, which is returned.
llvm::CallBase &promote_through_adapter(llvm::CallBase &call, llvm::Function &callee);

} // namespace assay::engine
