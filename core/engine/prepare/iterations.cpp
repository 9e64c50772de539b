#include "core/engine/prepare/iterations.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {

bool is_trip_count(const CallBase &call) {
  return call.getType()->isIntegerTy() && call.arg_size() == 2 && call.getArgOperand(0)->getType()->isIntegerTy() &&
         call.getArgOperand(1)->getType()->isIntegerTy();
}

void add_iterations(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || convention_call(*callee) != ConventionCall::iterations || !is_trip_count(*call))
      continue;
    if (auto *invoke = dyn_cast<InvokeInst>(call))
      call = changeToCall(invoke);
    IRBuilder<> builder(call);
    Value *count = builder.CreateSExtOrTrunc(call->getArgOperand(0), call->getType());
    Value *more = builder.CreateSExtOrTrunc(call->getArgOperand(1), call->getType());
    call->replaceAllUsesWith(builder.CreateAdd(count, more));
    call->eraseFromParent();
  }
}

} // namespace assay::engine
