#include "core/engine/prepare/dropped_tapes.hpp"
#include "core/engine/prepare/replace_call.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {

bool drops_tape(const Function &function) {
  // The name comes last: reading those of all functions of a module takes long.
  return function.arg_size() == 1 && function.getReturnType()->isVoidTy() &&
         function.getArg(0)->getType()->isPointerTy() && convention_call(function) == ConventionCall::drop_tape;
}

void keep_dropped_tapes(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !drops_tape(*callee))
      continue;
    replace_call(*call);
  }
}

} // namespace assay::engine
