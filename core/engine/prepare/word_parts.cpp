#include "core/engine/prepare/word_parts.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned most_steps = 16; ///< Instructions that are looked at between two halves of one move.

template <class Access>
SmallVector<Access *, 4> accesses_before(BasicBlock &block, Place end) {
  const DataLayout &layout = block.getDataLayout();
  SmallVector<Access *, 4> found;
  for (Instruction &instruction : block)
    if (auto *access = dyn_cast<Access>(&instruction); access && access->isSimple()) {
      const Value &moved = isa<LoadInst>(access) ? static_cast<Value &>(*access) : *access->getOperand(0);
      if (is_part(moved) && place_of(*access->getPointerOperand(), layout).plus(bytes_of(moved, layout)) == end)
        found.push_back(access);
    }
  return found;
}

} // namespace

Place place_of(const Value &pointer, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const Value *base = pointer.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue()};
}

std::uint64_t bytes_of(const Value &value, const DataLayout &layout) {
  return layout.getTypeStoreSize(value.getType()).getFixedValue();
}

bool is_part(const Value &value) {
  const auto *type = dyn_cast<IntegerType>(value.getType());
  return type && type->getBitWidth() % 8 == 0 && type->getBitWidth() < word_bytes * 8;
}

bool may_write(const Instruction &instruction) {
  return instruction.mayWriteToMemory() && !instruction.isLifetimeStartOrEnd();
}

bool may_touch(const Instruction &instruction, Place place, std::uint64_t size, const DataLayout &layout) {
  if (!instruction.mayReadOrWriteMemory() || instruction.isLifetimeStartOrEnd())
    return false;
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  const Type *type = pointer ? getLoadStoreType(&instruction) : nullptr;
  if (!type || instruction.isVolatile() || instruction.isAtomic())
    return true;
  const Place other = place_of(*pointer, layout);
  const auto length = static_cast<std::int64_t>(layout.getTypeStoreSize(const_cast<Type *>(type)).getFixedValue());
  return other.base != place.base ||
         (other.offset < place.offset + static_cast<std::int64_t>(size) && place.offset < other.offset + length);
}

Instruction *first_of(Instruction &one, Instruction &other, function_ref<bool(const Instruction &)> hinders) {
  if (one.getParent() != other.getParent())
    return nullptr;
  Instruction *first = one.comesBefore(&other) ? &one : &other;
  const Instruction *last = first == &one ? &other : &one;
  unsigned steps = 0;
  for (const Instruction *next = first->getNextNode(); next != last; next = next->getNextNode())
    if (++steps > most_steps || hinders(*next))
      return nullptr;
  return first;
}

SmallVector<LoadInst *, 4> loads_before(BasicBlock &block, Place end) {
  return accesses_before<LoadInst>(block, end);
}

SmallVector<StoreInst *, 4> stores_before(BasicBlock &block, Place end) {
  return accesses_before<StoreInst>(block, end);
}

} // namespace assay::engine
