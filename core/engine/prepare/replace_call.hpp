#pragma once
// Calls and invokes that a pass expands in place.

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

namespace assay::engine {

/// Erases `call`. Its result, where it has one, becomes `value`, or zero without a value; an invoke continues at its
/// normal destination.
inline void replace_call(llvm::CallBase &call, llvm::Value *value = nullptr) {
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(value ? value : llvm::Constant::getNullValue(call.getType()));
  llvm::CallBase *plain = &call;
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
    plain = llvm::changeToCall(invoke);
  plain->eraseFromParent();
}

} // namespace assay::engine
