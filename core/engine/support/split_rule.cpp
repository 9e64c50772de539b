#include "core/engine/support/split_rule.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

Error mismatch(const UserRule &rule, const Twine &detail) {
  return unsupported(*rule.split_forward, nullptr,
                     "the registered split derivative of '" + source_name(*rule.primal) + "' does not fit: " + detail,
                     "give the first half the arguments of the function with their shadows, the second half the same, "
                     "tangents and the tape");
}

bool has_shadow_behind(const Type *type) {
  return type->isPointerTy() || type->isFPOrFPVectorTy();
}

/// What the first half takes, out of the parameters of the joined rule.
SmallVector<Value *, 8> augmented_arguments(const UserRule &rule, Function &joined) {
  SmallVector<Value *, 8> arguments;
  unsigned next = 0;
  for (const Argument &parameter : rule.primal->args()) {
    if (next >= joined.arg_size())
      return {};
    arguments.push_back(joined.getArg(next++));
    const bool shadowed = has_shadow_behind(parameter.getType()) && next < joined.arg_size() &&
                          joined.getArg(next)->getType() == parameter.getType();
    if (shadowed && parameter.getType()->isPointerTy())
      arguments.push_back(joined.getArg(next));
    next += shadowed ? 1 : 0;
  }
  return arguments;
}

bool fits(FunctionType &type, ArrayRef<Value *> arguments) {
  return type.getNumParams() == arguments.size() && all_of(enumerate(arguments), [&](const auto &argument) {
           return argument.value()->getType() == type.getParamType(argument.index());
         });
}

/// The first half's result is the primal, the tape, or both.
struct FirstHalf {
  Value *tape = nullptr, *primal = nullptr;
};

FirstHalf take_apart(IRBuilder<> &builder, CallInst &call, Type *wanted) {
  auto *pair = dyn_cast<StructType>(call.getType());
  if (pair && pair->getNumElements() == 2 && pair->getElementType(1) == wanted) {
    Value *tape = builder.CreateExtractValue(&call, 0);
    return {tape, builder.CreateExtractValue(&call, 1)};
  }
  if (call.getType()->isVoidTy())
    return {};
  return call.getType() == wanted ? FirstHalf{nullptr, &call} : FirstHalf{&call, nullptr};
}

void return_results(IRBuilder<> &builder, Function &joined, Value *primal, Value *tangent) {
  if (joined.getReturnType()->isVoidTy()) {
    builder.CreateRetVoid();
    return;
  }
  if (!joined.getReturnType()->isStructTy() || !primal) {
    builder.CreateRet(tangent);
    return;
  }
  Value *results = builder.CreateInsertValue(PoisonValue::get(joined.getReturnType()), primal, 0);
  builder.CreateRet(builder.CreateInsertValue(results, tangent, 1));
}

} // namespace

Expected<Function *> joined_forward(const UserRule &rule) {
  Function &forward = *rule.split_forward;
  if (forward.arg_size() == 0 || !forward.getArg(forward.arg_size() - 1)->getType()->isPointerTy())
    return mismatch(rule, "the second half takes no tape");
  Type *wanted = rule.primal->getReturnType(), *tangent = forward.getReturnType();
  Type *augmented = rule.split_augmented->getReturnType();
  const bool gives_primal = !wanted->isVoidTy() && tangent == wanted && augmented->isStructTy();
  Type *result = gives_primal ? StructType::get(wanted, tangent) : tangent;
  auto *type = FunctionType::get(result, forward.getFunctionType()->params().drop_back(), false);
  Function *joined =
      Function::Create(type, GlobalValue::InternalLinkage, forward.getName() + ".joined", *forward.getParent());
  IRBuilder<> builder(BasicBlock::Create(forward.getContext(), "", joined));
  const SmallVector<Value *, 8> first = augmented_arguments(rule, *joined);
  if (!fits(*rule.split_augmented->getFunctionType(), first)) {
    joined->eraseFromParent();
    return mismatch(rule, "the first half has other parameters");
  }
  CallInst *call = builder.CreateCall(rule.split_augmented, first);
  const FirstHalf half = take_apart(builder, *call, wanted);
  SmallVector<Value *, 8> second;
  for (Argument &argument : joined->args())
    second.push_back(&argument);
  second.push_back(half.tape && half.tape->getType()->isPointerTy() ? half.tape
                                                                    : Constant::getNullValue(builder.getPtrTy()));
  return_results(builder, *joined, half.primal, builder.CreateCall(&forward, second));
  return joined;
}

} // namespace assay::engine
