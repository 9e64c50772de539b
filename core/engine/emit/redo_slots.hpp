#pragma once
// Values of undone stores outside of loops: an address and a value each in slots of the stack, which become registers.
// On a device a log of them would take memory that nobody has reserved.

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

class RedoSlots {
public:
  /// Notes the content of `address` before `store` is undone. Each store is noted in one place.
  void note(llvm::IRBuilder<> &builder, const llvm::StoreInst &store, llvm::Value *address);
  /// Stores the noted values of these stores, in the order of the program.
  void replay(llvm::IRBuilder<> &builder, llvm::function_ref<bool(const llvm::StoreInst &)> is_due);

private:
  struct Slot {
    llvm::AllocaInst *address = nullptr, *value = nullptr;
  };
  llvm::MapVector<const llvm::StoreInst *, Slot> slots_;
};

} // namespace assay::engine
