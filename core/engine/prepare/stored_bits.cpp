#include "core/engine/prepare/stored_bits.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The float whose bits `value` is, or null.
Value *float_behind(Value *value) {
  while (isa<IntToPtrInst, PtrToIntInst, BitCastInst>(value)) {
    value = cast<CastInst>(value)->getOperand(0);
    if (value->getType()->isFloatingPointTy())
      return value;
  }
  return nullptr;
}

} // namespace

void store_floats_as_floats(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    Value *number = store && store->isSimple() ? float_behind(store->getValueOperand()) : nullptr;
    if (!number ||
        layout.getTypeStoreSize(number->getType()) != layout.getTypeStoreSize(store->getValueOperand()->getType()))
      continue;
    IRBuilder<>(store).CreateAlignedStore(number, store->getPointerOperand(), store->getAlign());
    store->eraseFromParent();
  }
}

} // namespace assay::engine
