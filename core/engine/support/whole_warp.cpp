#include "core/engine/support/whole_warp.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {

/// Not inlined, so that it is found again. Nothing else about it is promised: where it is called decides the answer.
Function *whole_warp_function(Module &module) {
  if (Function *known = module.getFunction(whole_warp_name))
    return known;
  LLVMContext &context = module.getContext();
  auto *function = Function::Create(FunctionType::get(Type::getInt1Ty(context), false), GlobalValue::InternalLinkage,
                                    whole_warp_name, module);
  function->setConvergent();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::NoInline);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *here = builder.CreateIntrinsic(builder.getInt32Ty(), Intrinsic::nvvm_activemask, {});
  builder.CreateRet(builder.CreateICmpEQ(here, builder.getInt32(~0U)));
  return function;
}

bool assume_lone_lanes(Function &function) {
  SmallVector<CallInst *, 4> questions;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == whole_warp_name)
      questions.push_back(call);
  if (questions.empty())
    return false;
  for (CallInst *question : questions) {
    question->replaceAllUsesWith(ConstantInt::getFalse(question->getType()));
    question->eraseFromParent();
  }
  for (BasicBlock &block : function)
    ConstantFoldTerminator(&block, true);
  removeUnreachableBlocks(function);
  return true;
}

void assume_lone_lanes_in(Module &module) {
  for (Function &function : module)
    assume_lone_lanes(function);
  if (Function *question = module.getFunction(whole_warp_name); question && question->use_empty())
    question->eraseFromParent();
}

} // namespace assay::engine
