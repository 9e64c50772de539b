#include "core/jit/rounded_constants.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <bit>

using namespace llvm;

namespace assay::jit {

namespace {

/// Half of the digits are zero.
bool has_few_digits(const APFloat &number) {
  const unsigned digits = APFloat::semanticsPrecision(number.getSemantics());
  const APInt mantissa = number.bitcastToAPInt().trunc(digits - 1);
  return mantissa.isZero() || mantissa.countTrailingZeros() >= digits / 2;
}

/// Up or down as its bits have it.
Constant *neighbour(const ConstantFP &constant) {
  APFloat number = constant.getValueAPF();
  if (!number.isFiniteNonZero() || has_few_digits(number))
    return nullptr;
  const bool is_below = std::popcount(number.bitcastToAPInt().extractBitsAsZExtValue(32, 0) * 0x9e3779b97f4a7c15) % 2;
  number.next(is_below);
  return ConstantFP::get(constant.getContext(), number);
}

Constant *moved(Constant &constant) {
  if (const auto *vector = dyn_cast<FixedVectorType>(constant.getType())) {
    SmallVector<Constant *, 8> elements;
    for (unsigned index = 0; index < vector->getNumElements(); ++index) {
      Constant *element = constant.getAggregateElement(index);
      Constant *neighbour = element ? moved(*element) : nullptr;
      elements.push_back(neighbour ? neighbour : element);
    }
    return is_contained(elements, nullptr) ? nullptr : ConstantVector::get(elements);
  }
  const auto *number = dyn_cast<ConstantFP>(&constant);
  const Type *type = constant.getType();
  return number && (type->isDoubleTy() || type->isFloatTy()) ? neighbour(*number) : nullptr;
}

bool keeps_its_constants(const Instruction &instruction) {
  return isa<CmpInst>(instruction) || isa<IntrinsicInst>(instruction);
}

} // namespace

void move_rounded_constants(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (keeps_its_constants(instruction))
        continue;
      for (Use &operand : instruction.operands()) {
        auto *constant = dyn_cast<Constant>(operand.get());
        if (!constant || !constant->getType()->isFPOrFPVectorTy())
          continue;
        if (Constant *neighbour = moved(*constant))
          operand.set(neighbour);
      }
    }
}

void fix_order_of_sums(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (isa<FPMathOperator>(instruction))
      instruction.setHasAllowReassoc(false);
}

} // namespace assay::jit
