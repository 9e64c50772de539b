#pragma once
// Instructions of one kind of processor, which LLVM names as intrinsics of that target.

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace assay::engine {

/// Stores and copies that no pass has made general ones of, as those of matrices in registers. Hints for caches change
/// no memory.
inline bool is_target_instruction_that_writes(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isIntrinsic() || !llvm::Intrinsic::isTargetIntrinsic(callee->getIntrinsicID()))
    return false;
  const bool is_hint = llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"clflush", "clwb", "cldemote", "prefetch"},
                                    [&](llvm::StringRef hint) { return callee->getName().contains(hint); });
  return !is_hint && call.mayWriteToMemory() &&
         llvm::any_of(call.args(), [](const llvm::Use &use) { return use->getType()->isPointerTy(); });
}

} // namespace assay::engine
