#pragma once
// Copies of functions with a pointer before their other parameters, behind which they leave something for the caller.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// An internal copy of `callee` that returns a `result`, with `suffix` in its name; `adapt` completes it where it is
/// new. The attributes of `callee` on its result and on memory are not the copy's.
llvm::Function &copy_with_leading_pointer(
    llvm::Function &callee, llvm::StringRef suffix, llvm::Type *result,
    llvm::function_ref<void(llvm::Function &copy, llvm::ArrayRef<llvm::ReturnInst *> exits)> adapt);

/// Those of a call of the copy in place of `call`, without those of the result.
llvm::AttributeList attributes_behind_leading_pointer(const llvm::CallBase &call);

} // namespace assay::engine
