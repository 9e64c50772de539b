#include "core/engine/lowering/virtual_reverse.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/type_content.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

Request default_request(Function &function) {
  Request request;
  request.function = &function;
  request.mode = Mode::augmented;
  request.caller = Caller::derivative;
  for (const Argument &argument : function.args()) {
    Type *type = argument.getType();
    request.argument_activity.push_back(contains_pointer(type)    ? Activity::duplicated
                                        : contains_floating(type) ? Activity::active
                                                                  : Activity::constant);
  }
  Type *returned = function.getReturnType();
  if (contains_pointer(returned))
    request.return_activity = Activity::duplicated;
  else if (contains_floating(returned))
    request.return_activity = Activity::active;
  request.primal_return = returned->isVoidTy() ? PrimalReturn::omit : PrimalReturn::keep;
  return request;
}

/// The engine's augmented pass takes a list of shadows to release, which nobody keeps here.
Function &without_list(Function &augmented, unsigned list) {
  SmallVector<Type *, 8> parameters(augmented.getFunctionType()->params());
  parameters.erase(parameters.begin() + list);
  auto *type = FunctionType::get(augmented.getReturnType(), parameters, false);
  const std::string name = (augmented.getName() + ".virtual").str();
  return *own_function(*augmented.getParent(), name, type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
    SmallVector<Value *, 8> arguments;
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
    arguments.insert(arguments.begin() + list, ConstantPointerNull::get(builder.getPtrTy()));
    builder.CreateRet(builder.CreateCall(&augmented, arguments));
    function.setDoesNotThrow();
    if (!augmented.doesNotThrow())
      function.removeFnAttr(Attribute::NoUnwind);
  });
}

bool passes_structs_in_memory(const Function &function) {
  return any_of(function.args(),
                [](const Argument &argument) { return argument.hasByValAttr() || argument.hasStructRetAttr(); });
}

} // namespace

Expected<Constant *> derivative_pair(DerivativeSource &engine, Function &function) {
  if (passes_structs_in_memory(function))
    return unsupported(function, nullptr,
                       "__enzyme_virtualreverse of a function with a struct that is passed in memory",
                       "pass the struct by pointer");
  Request request = default_request(function);
  Expected<Function *> augmented = engine.derivative(request);
  if (!augmented)
    return augmented.takeError();
  const unsigned list = *DerivativeAbi(request).graveyard_parameter();
  request.mode = Mode::split_reverse;
  Expected<Function *> reverse = engine.derivative(request);
  if (!reverse)
    return reverse.takeError();
  const std::string name = ("assay.pair." + function.getName()).str();
  Module &module = engine.module();
  if (GlobalVariable *existing = module.getGlobalVariable(name, true))
    return existing;
  Constant *halves[] = {&without_list(**augmented, list), *reverse};
  auto *type = ArrayType::get(halves[0]->getType(), 2);
  return new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                            ConstantArray::get(type, halves), name);
}

} // namespace assay::engine
