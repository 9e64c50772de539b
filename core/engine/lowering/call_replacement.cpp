#include "core/engine/lowering/call_replacement.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The landing pad's phis get, from each new invoke, the values that they got from the old one.
void invoke_instead(CallInst &inner, InvokeInst &outer) {
  BasicBlock *landing = outer.getUnwindDest();
  changeToInvokeAndSplitBasicBlock(&inner, landing);
  // The call's block now ends with the new invoke; the rest, with the old invoke, is behind it.
  for (PHINode &phi : landing->phis())
    if (phi.getBasicBlockIndex(outer.getParent()) >= 0)
      for (BasicBlock *predecessor : predecessors(landing))
        if (phi.getBasicBlockIndex(predecessor) < 0)
          phi.addIncoming(phi.getIncomingValueForBlock(outer.getParent()), predecessor);
}

void replace_invoke(InvokeInst &invoke, ArrayRef<CallInst *> may_throw) {
  for (CallInst *inner : may_throw)
    invoke_instead(*inner, invoke);
  BasicBlock *block = invoke.getParent();
  BranchInst::Create(invoke.getNormalDest(), invoke.getIterator());
  invoke.getUnwindDest()->removePredecessor(block, /*KeepOneInputPHIs=*/true);
  invoke.eraseFromParent();
}

} // namespace

void replace_call(CallBase &call, Value *result, ArrayRef<CallInst *> may_throw) {
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(result ? result : PoisonValue::get(call.getType()));
  if (auto *invoke = dyn_cast<InvokeInst>(&call))
    return replace_invoke(*invoke, may_throw);
  call.eraseFromParent();
}

void replace_by_poison(CallBase &call) {
  replace_call(call, nullptr);
}

} // namespace assay::engine
