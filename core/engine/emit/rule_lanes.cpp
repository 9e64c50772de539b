#include "core/engine/emit/rule_lanes.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_own_memory(const Value &pointer, const SmallBitVector &shadows) {
  const Value *object = getUnderlyingObject(&pointer);
  const auto *argument = dyn_cast<Argument>(object);
  return isa<AllocaInst>(object) || isNoAliasCall(object) ||
         (argument && argument->getArgNo() < shadows.size() && shadows.test(argument->getArgNo()));
}

/// Of the function itself, be it kept in a variable of its own meanwhile; no tape is.
bool is_own_allocation(const Value &pointer) {
  const Value *object = getUnderlyingObject(&pointer);
  const auto *load = dyn_cast<LoadInst>(object);
  if (!load)
    return isNoAliasCall(object);
  const auto *variable = dyn_cast<AllocaInst>(load->getPointerOperand());
  return variable && all_of(variable->users(), [&](const User *user) {
           if (const auto *store = dyn_cast<StoreInst>(user))
             return store->getPointerOperand() == variable &&
                    isNoAliasCall(getUnderlyingObject(store->getValueOperand()));
           return isa<LoadInst>(user) || isa<LifetimeIntrinsic>(user);
         });
}

bool may_write_others(const Instruction &instruction, const FunctionInfo &function_info,
                      const SmallBitVector &shadows) {
  if (!instruction.mayWriteToMemory())
    return false;
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return !is_own_memory(*store->getPointerOperand(), shadows);
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return true;
  if (call->onlyAccessesInaccessibleMemory())
    return false;
  const MemoryCall memory = classify_memory_call(*call, function_info);
  switch (memory.action) {
  case MemoryAction::allocate:
  case MemoryAction::allocate_zeroed:
    return false;
  case MemoryAction::copy:
  case MemoryAction::fill:
    return !is_own_memory(*call->getArgOperand(memory.pointer), shadows);
  default:
    return true;
  }
}

} // namespace

Expected<bool> may_write_arguments(DerivativeSource &engine, Function &function, const SmallBitVector &shadows) {
  if (none_of(function.args(), [](const Argument &argument) { return argument.getType()->isPointerTy(); }))
    return false;
  if (function.isDeclaration())
    return true;
  Expected<Function *> prepared = engine.prepared(function, Mode::reverse);
  if (!prepared)
    return prepared.takeError();
  if (!*prepared)
    return true;
  return any_of(instructions(**prepared), [&](const Instruction &instruction) {
    return may_write_others(instruction, engine.function_info(), shadows);
  });
}

Function &without_releases(Function &reverse, const FunctionInfo &function_info) {
  const std::string name = (reverse.getName() + ".keeping").str();
  if (reverse.isDeclaration())
    return reverse;
  if (Function *existing = reverse.getParent()->getFunction(name))
    return *existing;
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&reverse, map);
  copy->setName(name);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setComdat(nullptr);
  for (Instruction &instruction : make_early_inc_range(instructions(*copy)))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getType()->isVoidTy() &&
        classify_memory_call(*call, function_info).action == MemoryAction::release &&
        !is_own_allocation(*call->getArgOperand(classify_memory_call(*call, function_info).pointer)))
      call->eraseFromParent();
  return *copy;
}

} // namespace assay::engine
