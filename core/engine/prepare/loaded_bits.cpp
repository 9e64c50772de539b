#include "core/engine/prepare/loaded_bits.hpp"
#include "core/engine/analysis/uses_only_double.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// What `value` has the bits of, where that is all that is known of it; null where it is what it is stored as.
Value *loaded_bits(Value &value, const DataLayout &layout) {
  auto *cast = dyn_cast<CastInst>(&value);
  if (!cast || !isa<IntToPtrInst, PtrToIntInst, BitCastInst>(cast) || cast->getType()->isVectorTy() ||
      cast->getSrcTy()->isVectorTy() ||
      layout.getTypeSizeInBits(cast->getSrcTy()) != layout.getTypeSizeInBits(cast->getDestTy()))
    return nullptr;
  Value *bits = cast->getOperand(0);
  if (!isa<IntToPtrInst>(cast) && !uses_only_double(*cast->getModule()))
    return nullptr; // what it is stored as tells more there than the bits
  if (Value *earlier = loaded_bits(*bits, layout))
    return earlier;
  // An integer that was computed says less than the address or the number that was made of it.
  return !bits->getType()->isIntegerTy() || isa<LoadInst>(bits) ? bits : nullptr;
}

} // namespace

bool store_bits_as_loaded(Function &function) {
  SmallVector<WeakTrackingVH, 8> casts;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (Value *bits = loaded_bits(*store->getValueOperand(), function.getDataLayout())) {
        casts.emplace_back(store->getValueOperand());
        store->setOperand(0, bits);
      }
  const bool changed = !casts.empty();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(casts);
  return changed;
}

} // namespace assay::engine
