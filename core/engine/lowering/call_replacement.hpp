#pragma once
// Takes a call or invoke of the convention out of the program.

#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// `result` (null for none) takes the place of the result of `call`; the code that computes it stands before `call`.
/// Where `call` is an invoke, the calls of `may_throw` become invokes with the same landing pad.
void replace_call(llvm::CallBase &call, llvm::Value *result, llvm::ArrayRef<llvm::CallInst *> may_throw = {});

void replace_by_poison(llvm::CallBase &call);

} // namespace assay::engine
