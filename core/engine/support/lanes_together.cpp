#include "core/engine/support/lanes_together.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {

/// Not inlined, so that it is found again. Nothing else about it is promised: where it is called decides the answer.
Function *lanes_together_function(Module &module) {
  if (Function *known = module.getFunction(lanes_together_name))
    return known;
  LLVMContext &context = module.getContext();
  auto *function = Function::Create(FunctionType::get(Type::getInt32Ty(context), false), GlobalValue::InternalLinkage,
                                    lanes_together_name, module);
  function->setConvergent();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::NoInline);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *here = builder.CreateIntrinsic(builder.getInt32Ty(), Intrinsic::nvvm_activemask, {});
  Value *is_together = builder.getFalse();
  for (const unsigned members : {~0U, 0xffffU, 0xffU, 0xfU, 0x3U})
    is_together = builder.CreateOr(is_together, builder.CreateICmpEQ(here, builder.getInt32(members)));
  builder.CreateRet(builder.CreateSelect(is_together, here, builder.getInt32(0)));
  return function;
}

bool assume_lone_lanes(Function &function) {
  SmallVector<CallInst *, 4> questions;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == lanes_together_name)
      questions.push_back(call);
  if (questions.empty())
    return false;
  for (CallInst *question : questions) {
    const SmallVector<User *, 2> users(question->users());
    question->replaceAllUsesWith(ConstantInt::get(question->getType(), 0));
    question->eraseFromParent();
    for (User *user : users)
      if (Value *known = simplifyInstruction(cast<Instruction>(user), function.getDataLayout()))
        user->replaceAllUsesWith(known);
  }
  for (BasicBlock &block : function)
    ConstantFoldTerminator(&block, true);
  removeUnreachableBlocks(function);
  return true;
}

void assume_lone_lanes_in(Module &module) {
  for (Function &function : module)
    assume_lone_lanes(function);
  if (Function *question = module.getFunction(lanes_together_name); question && question->use_empty())
    question->eraseFromParent();
}

} // namespace assay::engine
