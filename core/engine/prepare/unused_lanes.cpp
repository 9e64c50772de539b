#include "core/engine/prepare/unused_lanes.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// In the domain of nearly all functions, and no kink of any.
constexpr double filling = 0.5;

/// The constant with numbers in place of undefined elements; null where it has none, or nothing else.
Constant *filled(const Constant &constant) {
  const auto *type = dyn_cast<FixedVectorType>(constant.getType());
  if (!type || !type->isFPOrFPVectorTy())
    return nullptr;
  SmallVector<Constant *, 8> elements;
  unsigned undefined = 0;
  for (unsigned index = 0; index < type->getNumElements(); ++index) {
    Constant *element = constant.getAggregateElement(index);
    if (!element)
      return nullptr;
    undefined += isa<UndefValue>(element) ? 1 : 0;
    elements.push_back(isa<UndefValue>(element) ? ConstantFP::get(type->getElementType(), filling) : element);
  }
  return undefined > 0 && undefined < elements.size() ? ConstantVector::get(elements) : nullptr;
}

/// A lane that may be anything becomes one that there is.
void fill_mask(ShuffleVectorInst &shuffle) {
  SmallVector<int, 8> mask(shuffle.getShuffleMask());
  const auto *defined = find_if(mask, [](int lane) { return lane >= 0; });
  if (defined == mask.end() || !is_contained(mask, PoisonMaskElem))
    return;
  const int lane = *defined;
  replace(mask, PoisonMaskElem, lane);
  shuffle.setShuffleMask(mask);
}

/// A vector that is put together, from nothing on.
void fill_beginning(InsertElementInst &insert) {
  const auto *type = dyn_cast<FixedVectorType>(insert.getType());
  if (type && isa<UndefValue>(insert.getOperand(0)))
    insert.setOperand(
        0, ConstantVector::getSplat(type->getElementCount(), ConstantFP::get(type->getElementType(), filling)));
}

} // namespace

void fill_unused_lanes(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    for (Use &operand : instruction.operands())
      if (auto *constant = dyn_cast<Constant>(operand.get()))
        if (Constant *whole = filled(*constant))
          operand.set(whole);
    if (!instruction.getType()->isFPOrFPVectorTy() || isa<ScalableVectorType>(instruction.getType()))
      continue;
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
      fill_mask(*shuffle);
    else if (auto *insert = dyn_cast<InsertElementInst>(&instruction))
      fill_beginning(*insert);
  }
}

} // namespace assay::engine
