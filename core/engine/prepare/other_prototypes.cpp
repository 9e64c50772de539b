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

/// The function that resumes the coroutine whose frame a constant is, and destroys it as well: it does nothing.
bool is_all_of_frame(const Function &function) {
  return any_of(function.users(), [&](const User *user) {
    return isa<ConstantAggregate>(user) && user->getNumOperands() >= 2 && user->getOperand(0) == &function &&
           user->getOperand(1) == &function;
  });
}

/// What the library puts in place of a coroutine. Only coroutines are called by pointer in this way.
bool stands_for_coroutine(const Function &function, const CallBase &call) {
  return call.getCallingConv() == CallingConv::Fast && call.getType()->isVoidTy() && call.arg_size() == 1 &&
         call.getArgOperand(0)->getType()->isPointerTy() && function.getReturnType()->isVoidTy() &&
         function.arg_empty() && !function.isVarArg() && is_all_of_frame(function);
}

std::string adapter_name(const CallBase &call, const Function &callee) {
  if (call.getType()->isVoidTy())
    return (callee.getName() + ".as.coroutine").str();
  return (callee.getName() + ".as.i" + Twine(call.getType()->getIntegerBitWidth())).str();
}

/// A function of the type of `call` that calls `callee`.
Function &adapter(CallBase &call, Function &callee) {
  const std::string name = adapter_name(call, callee);
  Module &module = *callee.getParent();
  if (Function *known = module.getFunction(name); known && known->getFunctionType() == call.getFunctionType())
    return *known;
  Function *function = Function::Create(call.getFunctionType(), GlobalValue::InternalLinkage, name, module);
  function->setCallingConv(call.getCallingConv());
  IRBuilder<> builder(BasicBlock::Create(callee.getContext(), "", function));
  SmallVector<Value *, 4> arguments;
  for (unsigned index = 0; index < callee.arg_size(); ++index)
    arguments.push_back(function->getArg(index));
  CallInst *inner = builder.CreateCall(&callee, arguments);
  inner->setCallingConv(callee.getCallingConv());
  inner->setAttributes(callee.getAttributes().removeFnAttributes(callee.getContext()));
  if (call.getType()->isVoidTy()) {
    builder.CreateRetVoid();
    return *function;
  }
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
        (differs_in_integer_result(*function.getFunctionType(), *call.getFunctionType()) ||
         stands_for_coroutine(function, call)) &&
        is_reachable(function))
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
