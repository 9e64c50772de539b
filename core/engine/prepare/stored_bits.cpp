#include "core/engine/prepare/stored_bits.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A float at a place within what is stored.
struct StoredFloat {
  Value *number;
  std::uint64_t first; ///< bit
};

/// The floats that the bits of `value` are put together from; false where there is anything else.
bool collect_floats(Value *value, std::uint64_t first, SmallVectorImpl<StoredFloat> &floats, unsigned depth) {
  while (isa<IntToPtrInst, PtrToIntInst, ZExtInst>(value))
    value = cast<CastInst>(value)->getOperand(0);
  if (auto *bits = dyn_cast<BitCastInst>(value); bits && bits->getOperand(0)->getType()->isFloatingPointTy()) {
    floats.push_back({bits->getOperand(0), first});
    return true;
  }
  auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation || depth == 0)
    return false;
  if (operation->getOpcode() == Instruction::Or)
    return all_of(operation->operands(),
                  [&](const Use &part) { return collect_floats(part.get(), first, floats, depth - 1); });
  const auto *distance = dyn_cast<ConstantInt>(operation->getOperand(1));
  return operation->getOpcode() == Instruction::Shl && distance &&
         collect_floats(operation->getOperand(0), first + distance->getZExtValue(), floats, depth - 1);
}

/// The floats that fill what `store` writes, from first to last; none where that is not so.
SmallVector<StoredFloat, 2> floats_filling(StoreInst &store) {
  constexpr unsigned most_operations = 4;
  SmallVector<StoredFloat, 2> floats;
  if (!store.isSimple() || store.getValueOperand()->getType()->isVectorTy() ||
      !collect_floats(store.getValueOperand(), 0, floats, most_operations))
    return {};
  sort(floats, [](const StoredFloat &one, const StoredFloat &other) { return one.first < other.first; });
  std::uint64_t end = 0;
  for (const StoredFloat &part : floats) {
    if (part.first != end)
      return {};
    end += part.number->getType()->getScalarSizeInBits();
  }
  const bool fills = end == store.getDataLayout().getTypeSizeInBits(store.getValueOperand()->getType());
  return fills ? floats : SmallVector<StoredFloat, 2>{};
}

} // namespace

void store_floats_as_floats(Function &function) {
  if (!function.getDataLayout().isLittleEndian())
    return;
  SmallVector<WeakTrackingVH, 8> replaced;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!store)
      continue;
    const SmallVector<StoredFloat, 2> floats = floats_filling(*store);
    if (floats.empty())
      continue;
    IRBuilder<> builder(store);
    for (const StoredFloat &part : floats) {
      const std::uint64_t offset = part.first / 8;
      Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store->getPointerOperand(), offset);
      builder.CreateAlignedStore(part.number, place, commonAlignment(store->getAlign(), offset));
    }
    replaced.emplace_back(store->getValueOperand());
    store->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
}

} // namespace assay::engine
