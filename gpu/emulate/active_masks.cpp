// The lanes of a warp that run together at `__activemask` are those that reach it by the same call path. Functions that
// reach it are inlined into their callers, so that each call path has an instruction of its own.

#include "gpu/emulate/steps.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::gpu {

namespace {

constexpr unsigned most_copies = 1000; ///< In all: recursion through several functions could be inlined without end.

bool calls_itself(const Function &function) {
  return any_of(function.users(), [&](const User *user) {
    const auto *call = dyn_cast<CallBase>(user);
    return call && call->getFunction() == &function;
  });
}

} // namespace

void inline_functions_with_active_masks(Module &module) {
  Function *mask = Intrinsic::getDeclarationIfExists(&module, Intrinsic::nvvm_activemask);
  if (!mask)
    return;
  SetVector<Function *> asking;
  for (CallInst *call : calls_of(*mask))
    asking.insert(call->getFunction());
  unsigned copies = 0;
  while (!asking.empty()) {
    Function *callee = asking.pop_back_val();
    if (calls_itself(*callee))
      continue;
    for (CallInst *call : calls_of(*callee)) {
      Function *caller = call->getFunction();
      InlineFunctionInfo info;
      if (++copies > most_copies)
        return;
      if (InlineFunction(*call, info).isSuccess())
        asking.insert(caller);
    }
  }
}

} // namespace assay::gpu
