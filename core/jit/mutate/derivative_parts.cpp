#include "core/jit/mutate/derivative_parts.hpp"

#include "core/engine/tidy/inline_derivatives.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace assay::jit {

bool holds_floats(const Type &type) {
  if (type.isFPOrFPVectorTy())
    return true;
  if (const auto *array = dyn_cast<ArrayType>(&type))
    return holds_floats(*array->getElementType());
  const auto *structure = dyn_cast<StructType>(&type);
  return structure && any_of(structure->elements(), [](const Type *part) { return holds_floats(*part); });
}

static bool has_scope(const Instruction &access, StringRef name) {
  const MDNode *scopes = access.getMetadata(LLVMContext::MD_alias_scope);
  if (!scopes)
    return false;
  return any_of(scopes->operands(), [&](const MDOperand &operand) {
    const auto *scope = dyn_cast_or_null<MDNode>(operand.get());
    const auto *text =
        scope && scope->getNumOperands() > 2 ? dyn_cast_or_null<MDString>(scope->getOperand(2)) : nullptr;
    return text && text->getString() == name;
  });
}

DerivativeParts::DerivativeParts(const Function &written) : forward_mode_(written.getName().starts_with("fwddiffe.")) {
  find_reverse_sweep(written);
  find_adjoint_slots(written);
  find_derivatives(written);
}

/// From the block `reverse` there is no way back.
void DerivativeParts::find_reverse_sweep(const Function &written) {
  if (written.getName().starts_with("splitdiffe.")) {
    for (const BasicBlock &block : written)
      reverse_blocks_.insert(&block);
    return;
  }
  if (!written.getName().starts_with("diffe."))
    return;
  SmallVector<const BasicBlock *, 16> pending;
  for (const BasicBlock &block : written)
    if (block.getName() == "reverse")
      pending.push_back(&block);
  while (!pending.empty()) {
    const BasicBlock *block = pending.pop_back_val();
    if (reverse_blocks_.insert(block).second)
      append_range(pending, successors(block));
  }
}

bool DerivativeParts::in_reverse_sweep(const Instruction &instruction) const {
  return reverse_blocks_.contains(instruction.getParent());
}

bool DerivativeParts::names_shadow(const Value &value) {
  return value.getName().contains('\'');
}

bool DerivativeParts::is_shadow_access(const Instruction &access) const {
  return has_scope(access, forward_mode_ ? "lane" : "shadow");
}
bool DerivativeParts::is_primal_access(const Instruction &access) const {
  return has_scope(access, "primal");
}
bool DerivativeParts::is_tape_access(const Instruction &access) const {
  const Value *pointer = getLoadStorePointerOperand(&access);
  return has_scope(access, "tape") || (pointer && isa<AllocaInst>(pointer) && pointer->getName().starts_with("tape"));
}

/// Stack slots with floats that only the reverse sweep loads and stores.
void DerivativeParts::find_adjoint_slots(const Function &written) {
  for (const Instruction &instruction : instructions(written)) {
    const auto *slot = dyn_cast<AllocaInst>(&instruction);
    if (!slot || !holds_floats(*slot->getAllocatedType()) || slot->getName().starts_with("tape"))
      continue;
    const bool is_adjoint = all_of(slot->users(), [&](const User *user) {
      const auto *access = dyn_cast<Instruction>(user);
      return access && isa<LoadInst, StoreInst>(access) && in_reverse_sweep(*access) &&
             getLoadStorePointerOperand(access) == slot;
    });
    if (is_adjoint)
      adjoint_slots_.insert(slot);
  }
}

bool DerivativeParts::is_derivative_call(const CallBase &call) const {
  if (const Function *callee = call.getCalledFunction())
    return callee->hasFnAttribute(engine::derivative_attribute);
  return forward_mode_ || in_reverse_sweep(call);
}

bool DerivativeParts::starts_derivative(const Instruction &instruction) const {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return is_shadow_access(*load) || is_adjoint_slot(load->getPointerOperand());
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return is_derivative_call(*call) && !forward_mode_;
  if (const auto *extract = dyn_cast<ExtractValueInst>(&instruction); extract && forward_mode_) {
    // {primal, tangent}: the tangent comes last.
    const auto *call = dyn_cast<CallBase>(extract->getAggregateOperand());
    const auto *type = call ? dyn_cast<StructType>(call->getType()) : nullptr;
    return type && is_derivative_call(*call) && extract->getIndices().front() + 1 == type->getNumElements();
  }
  return forward_mode_ && names_shadow(instruction);
}

void DerivativeParts::find_derivatives(const Function &written) {
  SmallVector<const Value *, 32> pending;
  const auto add = [&](const Value &value) {
    if (holds_floats(*value.getType()) && derivatives_.insert(&value).second)
      pending.push_back(&value);
  };
  for (const Argument &argument : written.args())
    if (names_shadow(argument) || (!forward_mode_ && argument.getName().empty())) // a tangent; a seed
      add(argument);
  for (const Instruction &instruction : instructions(written))
    if (starts_derivative(instruction))
      add(instruction);
  while (!pending.empty())
    for (const User *user : pending.pop_back_val()->users()) {
      const auto *next = dyn_cast<Instruction>(user);
      const auto *call = dyn_cast_or_null<CallBase>(next);
      if (next && !(call && forward_mode_ && is_derivative_call(*call)))
        add(*next);
    }
}

} // namespace assay::jit
