#include "core/engine/analysis/pointer_escape.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

/// The number of an address, or one of several; null pointers are among them as zeros.
static bool is_address_number(const Value &number, SmallPtrSetImpl<const Value *> &seen) {
  if (isa<PtrToIntInst>(number) || !seen.insert(&number).second)
    return true;
  const auto *operation = dyn_cast<Instruction>(&number);
  if (!operation || !isa<PHINode, SelectInst>(operation))
    return false;
  return all_of(operation->operand_values(), [&](const Value *operand) {
    const auto *constant = dyn_cast<ConstantInt>(operand);
    return operand->getType() != number.getType() || (constant && constant->isZero()) ||
           is_address_number(*operand, seen);
  });
}

bool is_only_measured(const PtrToIntInst &address) {
  SmallSetVector<const Value *, 4> numbers;
  numbers.insert(&address);
  for (unsigned index = 0; index < numbers.size(); ++index)
    for (const User *user : numbers[index]->users()) {
      const auto *operation = dyn_cast<BinaryOperator>(user);
      SmallPtrSet<const Value *, 4> seen;
      if (isa<PHINode, SelectInst>(user))
        numbers.insert(user);
      else if (!isa<CmpInst>(user) && !(operation && operation->getOpcode() == Instruction::Sub &&
                                        is_address_number(*operation->getOperand(0), seen) &&
                                        is_address_number(*operation->getOperand(1), seen)))
        return false;
    }
  return true;
}

bool is_release(const CallBase &call, const FunctionInfo &function_info) {
  return classify_memory_call(call, function_info).action == MemoryAction::release;
}

bool may_release(const CallBase &call, const FunctionInfo &function_info) {
  SmallVector<const CallBase *, 16> pending{&call};
  SmallPtrSet<const Function *, 16> seen;
  while (!pending.empty()) {
    const CallBase *next = pending.pop_back_val();
    if (is_release(*next, function_info))
      return true;
    const Function *callee = next->getCalledFunction();
    if (!callee || callee->isDeclaration() || function_info.keeps_call(*callee) || !seen.insert(callee).second)
      continue;
    for (const Instruction &instruction : instructions(*callee))
      if (const auto *inner = dyn_cast<CallBase>(&instruction))
        pending.push_back(inner);
  }
  return false;
}

bool is_passed_on(const User &user) {
  return isa<GetElementPtrInst, PHINode, SelectInst, BitCastInst, AddrSpaceCastInst, FreezeInst>(user);
}

bool escapes(const Use &use, const FunctionInfo &function_info) {
  const auto *user = cast<Instruction>(use.getUser());
  if (const auto *address = dyn_cast<PtrToIntInst>(user))
    return !is_only_measured(*address);
  if (const auto *store = dyn_cast<StoreInst>(user))
    return store->getValueOperand() == use.get();
  if (isa<LoadInst, CmpInst>(user))
    return false;
  if (isa<AtomicRMWInst>(user))
    return use.getOperandNo() != 0;
  const auto *call = dyn_cast<CallBase>(user);
  if (!call)
    return true;
  if (isa<MemIntrinsic>(call) || is_release(*call, function_info) || call->isLifetimeStartOrEnd())
    return false;
  return !call->isArgOperand(&use) || !call->doesNotCapture(call->getArgOperandNo(&use)) ||
         may_release(*call, function_info);
}

} // namespace assay::engine
