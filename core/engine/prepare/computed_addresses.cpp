#include "core/engine/prepare/computed_addresses.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned arithmetic_depth = 6;

bool keeps_address(const BinaryOperator &operation) {
  switch (operation.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
    return true;
  default:
    return false;
  }
}

/// The one pointer whose address the integer is computed from; null where there is none, or more than one.
Value *pointer_behind(Value &integer, unsigned depth) {
  if (auto *address = dyn_cast<PtrToIntInst>(&integer))
    return address->getPointerOperand();
  auto *operation = dyn_cast<BinaryOperator>(&integer);
  if (!operation || depth == 0 || !keeps_address(*operation))
    return nullptr;
  Value *left = pointer_behind(*operation->getOperand(0), depth - 1);
  Value *right = pointer_behind(*operation->getOperand(1), depth - 1);
  if (left && right)
    return nullptr;
  return left || operation->getOpcode() == Instruction::Sub ? left : right;
}

bool is_address_of(const Value &pointer, const Value &integer, const DataLayout &layout) {
  return pointer.getType()->isPointerTy() && integer.getType() == layout.getIntPtrType(pointer.getType());
}

} // namespace

void rewrite_computed_addresses(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&instruction);
    Value *pointer = nullptr, *integer = nullptr;
    if (isa<IntToPtrInst>(instruction) && isa<BinaryOperator>(instruction.getOperand(0))) {
      integer = instruction.getOperand(0);
      pointer = pointer_behind(*integer, arithmetic_depth);
      if (!pointer || pointer->getType() != instruction.getType() || !is_address_of(*pointer, *integer, layout))
        continue;
    } else if (const auto *mask = dyn_cast<IntrinsicInst>(&instruction);
               mask && mask->getIntrinsicID() == Intrinsic::ptrmask) {
      pointer = mask->getArgOperand(0);
      if (!is_address_of(*pointer, *mask->getArgOperand(1), layout))
        continue;
      integer =
          builder.CreateAnd(builder.CreatePtrToInt(pointer, mask->getArgOperand(1)->getType()), mask->getArgOperand(1));
    } else {
      continue;
    }
    Value *distance = builder.CreateSub(integer, builder.CreatePtrToInt(pointer, integer->getType()));
    instruction.replaceAllUsesWith(builder.CreatePtrAdd(pointer, distance, instruction.getName()));
    instruction.eraseFromParent();
  }
}

} // namespace assay::engine
