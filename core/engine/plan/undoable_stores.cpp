#include "core/engine/plan/undoable_stores.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/plan/reload.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace assay::engine {

static SmallVector<const Value *, 4> objects_of(const Instruction &store) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(written_pointer(store), objects, nullptr, 0);
  return objects;
}

Type *overwritten_type(const Instruction &writer) {
  if (const auto *store = dyn_cast<StoreInst>(&writer))
    return store->getValueOperand()->getType();
  const auto &intrinsic = cast<MemIntrinsic>(writer);
  const std::optional<MemoryKind> kind = memory_kind(intrinsic);
  if (!kind || kind->content != MemoryContent::floating)
    return nullptr;
  const DataLayout &layout = writer.getDataLayout();
  const std::uint64_t bytes = layout.getTypeAllocSize(kind->floating);
  const KnownBits length = computeKnownBits(intrinsic.getLength(), layout);
  return isPowerOf2_64(bytes) && length.countMinTrailingZeros() >= Log2_64(bytes) ? kind->floating : nullptr;
}

/// Only in combined mode: between two functions, the caller may write to the memory as well.
UndoableStores::UndoableStores(const UndoableStoreInput &input) : released_late_(input.released_late) {
  if (input.split)
    return;
  const BlocksReachingReturn live(input.prepared);
  for (const BasicBlock &block : input.prepared) {
    if (!live.contains(&block) || none_of(block, input.has_adjoint))
      continue;
    for (const Instruction &instruction : block)
      if (written_memory(instruction))
        if (const Instruction *copy = input.copy(instruction))
          if (const Suits how = suits(*copy, input); how != Suits::never) {
            stores_.insert(copy);
            if (how == Suits::for_overlap)
              only_for_overlap_.insert(copy);
          }
  }
  drop_unordered();
  keep_one_type();
}

UndoableStores::Suits UndoableStores::suits(const Instruction &store, const UndoableStoreInput &input) const {
  return overwritten_type(store) && is_known_to_last(store) ? suits_device(store, input) : Suits::never;
}

/// Memory that ends with the derivative: its content does not matter then.
bool UndoableStores::ends_with_sweep(const Value &object) const {
  const auto *global = dyn_cast<GlobalVariable>(&object);
  return isa<AllocaInst>(object) || (global && is_shared_memory(*global)) || released_late_.contains(&object);
}

bool UndoableStores::needs_redo(const Instruction &store) const {
  return !all_of(objects_of(store), [&](const Value *object) { return ends_with_sweep(*object); });
}

/// Memory may have been released by the end of the reverse sweep when it is not known whether it ends with the sweep.
bool UndoableStores::is_known_to_last(const Instruction &store) const {
  return !needs_redo(store) || released_late_.empty() ||
         all_of(objects_of(store), [](const Value *object) { return isa<Argument, GlobalVariable>(object); });
}

/// On a device, a log of what is to be done again would take memory that nobody has reserved, and so would what is kept
/// of a whole copy. Outside of loops registers are enough (Redo::slots); in loops it is for buffers that overlap, which
/// are rare. Neither if other threads may see that a store was undone, or their stores to the same place come between.
UndoableStores::Suits UndoableStores::suits_device(const Instruction &store, const UndoableStoreInput &input) const {
  if (!is_device_code(store))
    return Suits::always;
  if (!isa<StoreInst>(store))
    return Suits::never;
  if (!needs_redo(store))
    return Suits::always;
  if (communicates(input.prepared))
    return Suits::never;
  return input.loops.getLoopFor(store.getParent()) ? Suits::for_overlap : Suits::always;
}

/// What is done again on a device from registers comes before or behind all that is in the log.
void UndoableStores::drop_unordered() {
  if (only_for_overlap_.empty())
    return;
  stores_.remove_if([&](const Instruction *store) {
    const auto comes_after = [&](const Instruction *other) { return isPotentiallyReachable(other, store); };
    const auto comes_before = [&](const Instruction *other) { return isPotentiallyReachable(store, other); };
    return !is_only_for_overlap(*store) && needs_redo(*store) && any_of(only_for_overlap_, comes_after) &&
           any_of(only_for_overlap_, comes_before);
  });
}

bool UndoableStores::is_logged(const Instruction &store) const {
  return is_device_code(store) ? is_only_for_overlap(store) : needs_redo(store);
}

/// The redo log has one order for all stores, and so one type of values.
void UndoableStores::keep_one_type() {
  MapVector<Type *, unsigned> count;
  for (const Instruction *store : stores_)
    if (is_logged(*store))
      ++count[overwritten_type(*store)];
  const auto rank = [](const auto &entry) { return std::pair(entry.first->isFloatingPointTy(), entry.second); };
  const auto most =
      std::max_element(count.begin(), count.end(), [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  if (most == count.end())
    return;
  Type *type = most->first;
  stores_.remove_if([&](const Instruction *store) { return overwritten_type(*store) != type && is_logged(*store); });
}

Redo UndoableStores::redo(const RestoredStore &restored) const {
  if (!needs_redo(*restored.store))
    return Redo::none;
  return is_device_code(*restored.store) && !restored.is_kept_on_stack() ? Redo::slots : Redo::log;
}

} // namespace assay::engine
