#include "core/engine/prepare/loaded_bits.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The integer that `value` has the bits of, where that is all that is known of it.
Value *loaded_bits(Value &value, const DataLayout &layout) {
  auto *cast = dyn_cast<IntToPtrInst>(&value);
  Value *bits = cast ? cast->getOperand(0) : nullptr;
  const bool is_whole = bits && layout.getTypeSizeInBits(bits->getType()) == layout.getTypeSizeInBits(value.getType());
  return is_whole && isa<LoadInst>(bits) ? bits : nullptr;
}

} // namespace

void store_bits_as_loaded(Function &function) {
  SmallVector<WeakTrackingVH, 8> casts;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (Value *bits = loaded_bits(*store->getValueOperand(), function.getDataLayout())) {
        casts.emplace_back(store->getValueOperand());
        store->setOperand(0, bits);
      }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(casts);
}

} // namespace assay::engine
