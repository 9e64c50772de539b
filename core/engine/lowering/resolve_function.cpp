#include "core/engine/lowering/resolve_function.hpp"
#include "core/engine/lowering/call_operands.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/source_signature.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned most_wrapper_rounds = 16; // wrappers of wrappers; recursion ends here at the latest

Function *convention_callee(const CallBase &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee && convention_call(*callee) ? callee : nullptr;
}

/// The first argument is taken by reference: the pointer lies in memory.
bool function_is_behind_reference(const CallBase &call) {
  const auto arguments = source_arguments(call);
  return !arguments.empty() && arguments[0].reference &&
         call.getArgOperand(first_argument(call))->getType()->isPointerTy();
}

SmallVector<CallBase *, 8> direct_calls(Function &function) {
  SmallVector<CallBase *, 8> calls;
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &function)
      calls.push_back(call);
  return calls;
}

bool calls_itself(Function &function) {
  return any_of(direct_calls(function), [&](CallBase *call) { return call->getFunction() == &function; });
}

bool is_wrapper(Function &function) {
  return function.isDiscardableIfUnused() && !calls_itself(function) && !direct_calls(function).empty() &&
         isInlineViable(function).isSuccess();
}

/// Functions with an unknown function as first argument of one of their calls.
SmallSetVector<Function *, 4> unresolved_wrappers(Module &module) {
  SmallSetVector<Function *, 4> wrappers;
  for (const ConventionSite &site : convention_sites(module)) {
    Function *caller = site.call->getFunction();
    if (site.call->arg_size() > first_argument(*site.call) && !resolve_function(*site.call) && is_wrapper(*caller))
      wrappers.insert(caller);
  }
  return wrappers;
}

/// A marker, or the address of a stack slot that one is put into.
bool is_marker(Value *argument) {
  if (marker_of(argument))
    return true;
  auto *slot = dyn_cast<AllocaInst>(argument->stripPointerCasts());
  return slot && any_of(slot->users(), [&](User *user) {
           auto *store = dyn_cast<StoreInst>(user);
           return store && store->getPointerOperand() == slot && marker_of(store->getValueOperand());
         });
}

/// Functions that are given markers, which they can only pass on to a call of the convention.
SmallSetVector<Function *, 4> marker_wrappers(Module &module) {
  SmallSetVector<Function *, 4> wrappers;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || convention_call(*callee))
        continue;
      if (any_of(call->args(), [](Value *argument) { return is_marker(argument); }) && is_wrapper(*callee))
        wrappers.insert(callee);
    }
  return wrappers;
}

bool inline_into_callers(Function &wrapper, FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (CallBase *call : direct_calls(wrapper)) {
    Function *caller = call->getFunction();
    InlineFunctionInfo info;
    if (!InlineFunction(*call, info).isSuccess())
      continue;
    promote_stack_slots(*caller, analyses);
    changed = true;
  }
  wrapper.removeDeadConstantUsers();
  if (wrapper.use_empty()) {
    analyses.clear(wrapper, wrapper.getName());
    wrapper.eraseFromParent();
  }
  return changed;
}

} // namespace

void promote_stack_slots(Function &function, FunctionAnalysisManager &analyses) {
  analyses.invalidate(function, PreservedAnalyses::none());
  analyses.invalidate(function, SROAPass(SROAOptions::PreserveCFG).run(function, analyses));
}

SmallVector<ConventionSite, 8> convention_sites(Module &module) {
  SmallVector<ConventionSite, 8> sites;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = convention_callee(*call))
          if (const ConventionCall kind = *convention_call(*callee);
              asks_for_derivative(kind) && kind != ConventionCall::todense)
            sites.push_back({call, kind});
  return sites;
}

Function *resolve_function(CallBase &call) {
  Value *argument = call.getArgOperand(first_argument(call));
  if (auto *known = dyn_cast_or_null<Function>(resolve_constant(argument)))
    return known;
  Value *stored = only_stored_value(argument);
  return stored ? dyn_cast_or_null<Function>(resolve_constant(stored)) : nullptr;
}

Value *function_pointer(CallBase &call) {
  IRBuilder<> builder(&call);
  Value *argument = call.getArgOperand(first_argument(call));
  if (function_is_behind_reference(call))
    return builder.CreateLoad(builder.getPtrTy(), argument);
  return argument->getType()->isIntegerTy() ? builder.CreateIntToPtr(argument, builder.getPtrTy()) : argument;
}

void inline_wrappers(Module &module, FunctionAnalysisManager &analyses) {
  for (unsigned round = 0; round < most_wrapper_rounds; ++round) {
    bool changed = false;
    for (Function *wrapper : unresolved_wrappers(module))
      changed |= inline_into_callers(*wrapper, analyses);
    for (Function *wrapper : marker_wrappers(module))
      changed |= inline_into_callers(*wrapper, analyses);
    if (!changed)
      return;
  }
}

Function &differentiable_function(Function &function, const FunctionInfo &function_info) {
  if (!function.isDeclaration() && !function_info.keeps_call(function))
    return function;
  if (function.isVarArg())
    return function; // the engine says that it cannot
  Module &module = *function.getParent();
  const std::string name = (function.getName() + caller_suffix).str();
  if (Function *made = module.getFunction(name))
    return *made;
  auto *caller = Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage, name, module);
  caller->setCallingConv(function.getCallingConv());
  const AttributeList attributes = function.getAttributes();
  for (unsigned index = 0; index < function.arg_size(); ++index)
    for (Attribute attribute : attributes.getParamAttrs(index))
      caller->addParamAttr(index, attribute);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", caller));
  SmallVector<Value *, 4> arguments;
  for (Argument &argument : caller->args())
    arguments.push_back(&argument);
  CallInst *call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  for (unsigned index = 0; index < function.arg_size(); ++index)
    for (Attribute attribute : attributes.getParamAttrs(index))
      call->addParamAttr(index, attribute);
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return *caller;
}

} // namespace assay::engine
