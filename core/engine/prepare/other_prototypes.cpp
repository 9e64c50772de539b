#include "core/engine/prepare/other_prototypes.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_word(const Type &type) {
  return type.isIntegerTy() && type.getIntegerBitWidth() <= 64;
}

bool differs_in_integer_result(const FunctionType &function, const FunctionType &called) {
  const Type &result = *function.getReturnType(), &wanted = *called.getReturnType();
  return &result != &wanted && is_word(result) && is_word(wanted) && !function.isVarArg() && !called.isVarArg() &&
         function.params() == called.params();
}

/// A function of the type of `call` that calls `callee`.
Function &adapter(CallBase &call, Function &callee) {
  const std::string name = (callee.getName() + ".as.i" + Twine(call.getType()->getIntegerBitWidth())).str();
  Module &module = *callee.getParent();
  if (Function *known = module.getFunction(name); known && known->getFunctionType() == call.getFunctionType())
    return *known;
  Function *function = Function::Create(call.getFunctionType(), GlobalValue::InternalLinkage, name, module);
  function->setCallingConv(callee.getCallingConv());
  IRBuilder<> builder(BasicBlock::Create(callee.getContext(), "", function));
  SmallVector<Value *, 4> arguments;
  for (Argument &argument : function->args())
    arguments.push_back(&argument);
  CallInst *inner = builder.CreateCall(&callee, arguments);
  inner->setCallingConv(callee.getCallingConv());
  inner->setAttributes(callee.getAttributes().removeFnAttributes(callee.getContext()));
  const bool is_signed = callee.hasRetAttribute(Attribute::SExt);
  builder.CreateRet(builder.CreateIntCast(inner, call.getType(), is_signed));
  return *function;
}

} // namespace

SmallVector<Function *, 4> functions_of_other_prototypes(const CallBase &call,
                                                         function_ref<bool(const Function &)> is_reachable) {
  SmallVector<Function *, 4> found;
  for (Function &function : const_cast<Module &>(*call.getModule()))
    if (!function.isIntrinsic() && !function.isDeclaration() &&
        differs_in_integer_result(*function.getFunctionType(), *call.getFunctionType()) && is_reachable(function))
      found.push_back(&function);
  return found;
}

CallBase &promote_through_adapter(CallBase &call, Function &callee) {
  Function &stand_in = adapter(call, callee);
  CallBase &direct = promoteCallWithIfThenElse(call, &stand_in);
  auto *branch = cast<BranchInst>(direct.getParent()->getSinglePredecessor()->getTerminator());
  cast<Instruction>(branch->getCondition())->replaceUsesOfWith(&stand_in, &callee);
  return direct;
}

} // namespace assay::engine
