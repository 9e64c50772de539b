#include "gpu/emulate/first_guess.hpp"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace assay::gpu {

namespace {

using Test = function_ref<bool(const User &)>;

/// All users pass the test, those of the same bits as another type in place of a bit cast.
bool all_users(const Value &value, Test test) {
  return !value.use_empty() && all_of(value.users(), [&](const User *user) {
    return isa<BitCastInst>(user) ? all_users(*user, test) : test(*user);
  });
}

bool any_user(const Value &value, Test test) {
  return any_of(value.users(),
                [&](const User *user) { return isa<BitCastInst>(user) ? any_user(*user, test) : test(*user); });
}

const Value *without_bit_casts(const Value *value) {
  while (const auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

bool is_first_guess(const LoadInst &load) {
  const Value *place = load.getPointerOperand()->stripPointerCasts();
  return all_users(load, [&](const User &guess) {
    return isa<PHINode>(guess) && any_user(guess, [&](const User &user) {
             const auto *swap = dyn_cast<AtomicCmpXchgInst>(&user);
             return swap && without_bit_casts(swap->getCompareOperand()) == &guess &&
                    swap->getPointerOperand()->stripPointerCasts() == place;
           });
  });
}

bool has_swap(const Function &function) {
  return any_of(instructions(function), [](const Instruction &each) { return isa<AtomicCmpXchgInst>(each); });
}

SmallVector<CallInst *, 4> calls_with_swap(Function &function) {
  SmallVector<CallInst *, 4> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (const Function *callee = call->getCalledFunction(); callee && callee != &function && has_swap(*callee))
        calls.push_back(call);
  return calls;
}

void promote_variables(Function &function) {
  SmallVector<AllocaInst *, 16> variables;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && isAllocaPromotable(variable))
      variables.push_back(variable);
  DominatorTree tree(function);
  PromoteMemToReg(variables, tree);
}

} // namespace

Loads first_guesses(Function &function) {
  Loads found;
  for (const Instruction &instruction : instructions(function))
    if (const auto *load = dyn_cast<LoadInst>(&instruction); load && is_first_guess(*load))
      found.insert(load);
  const bool has_variables =
      any_of(function.getEntryBlock(), [](const Instruction &each) { return isa<AllocaInst>(each); });
  if (!has_variables || (calls_with_swap(function).empty() && !has_swap(function)))
    return found;
  ValueToValueMapTy copies;
  Function *copy = CloneFunction(&function, copies);
  for (CallInst *call : calls_with_swap(*copy)) {
    InlineFunctionInfo info;
    InlineFunction(*call, info);
  }
  promote_variables(*copy);
  for (const Instruction &instruction : instructions(function))
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
      if (const auto *same = dyn_cast_or_null<LoadInst>(copies.lookup(load)); same && is_first_guess(*same))
        found.insert(load);
  copy->eraseFromParent();
  return found;
}

} // namespace assay::gpu
