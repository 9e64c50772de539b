#include "core/engine/prepare/dropped_tapes.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {

bool drops_tape(const Function &function) {
  return convention_call(function) == ConventionCall::drop_tape && function.arg_size() == 1 &&
         function.getArg(0)->getType()->isPointerTy() && function.getReturnType()->isVoidTy();
}

void keep_dropped_tapes(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !drops_tape(*callee))
      continue;
    if (auto *invoke = dyn_cast<InvokeInst>(call))
      call = changeToCall(invoke);
    call->eraseFromParent();
  }
}

} // namespace assay::engine
