#include "core/engine/emit/redo_slots.hpp"
#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace assay::engine {

void RedoSlots::note(IRBuilder<> &builder, const StoreInst &store, Value *address) {
  Type *type = store.getValueOperand()->getType();
  BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> slots(&entry, entry.getFirstInsertionPt());
  Slot &slot = slots_[&store];
  slot.address = slots.CreateAlloca(address->getType(), nullptr, "redo.address");
  slot.value = slots.CreateAlloca(type, nullptr, "redo.value");
  slots.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  slots.CreateStore(Constant::getNullValue(address->getType()), slot.address);
  builder.CreateStore(address, slot.address);
  builder.CreateStore(builder.CreateAlignedLoad(type, address, store.getAlign()), slot.value);
}

/// Blocks in reverse postorder: of two stores outside of loops, that which may run later comes later.
static SmallVector<const StoreInst *, 4> in_program_order(Function &function,
                                                          function_ref<bool(const StoreInst &)> is_noted) {
  SmallVector<const StoreInst *, 4> stores;
  for (const BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (const Instruction &instruction : *block)
      if (const auto *store = dyn_cast<StoreInst>(&instruction); store && is_noted(*store))
        stores.push_back(store);
  return stores;
}

void RedoSlots::replay(IRBuilder<> &builder, function_ref<bool(const StoreInst &)> is_due) {
  if (slots_.empty())
    return;
  Function &function = *builder.GetInsertBlock()->getParent();
  LLVMContext &context = function.getContext();
  const auto is_noted = [&](const StoreInst &store) { return slots_.contains(&store) && is_due(store); };
  for (const StoreInst *store : in_program_order(function, is_noted)) {
    const Slot &slot = slots_[store];
    auto *redo = BasicBlock::Create(context, "redo", &function),
         *done = BasicBlock::Create(context, "redone", &function);
    Value *address = builder.CreateLoad(slot.address->getAllocatedType(), slot.address);
    builder.CreateCondBr(builder.CreateIsNotNull(address), redo, done);
    builder.SetInsertPoint(redo);
    builder.CreateAlignedStore(builder.CreateLoad(slot.value->getAllocatedType(), slot.value), address,
                               store->getAlign());
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
  }
}

} // namespace assay::engine
