#include "core/engine/emit/undo.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/emit/adjoint.hpp"
#include "core/engine/prepare/retype.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace assay::engine {
namespace {

SmallVector<const Value *, 4> objects_of(const Instruction &store) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(written_pointer(store), objects, nullptr, 0);
  return objects;
}

/// Memory that ends with the derivative: what is in it does not matter then.
bool ends_with_sweep(const ForwardSweep &sweep, const Value &object) {
  const auto *global = dyn_cast<GlobalVariable>(&object);
  return isa<AllocaInst>(object) || (global && is_shared_memory(*global)) ||
         any_of(sweep.deferred, [&](const auto &entry) { return sweep.primal(entry.first) == &object; });
}

bool needs_redo(const ForwardSweep &sweep, const Instruction &store) {
  return !all_of(objects_of(store), [&](const Value *object) { return ends_with_sweep(sweep, *object); });
}

/// Memory may have been released by the end of the reverse sweep when it is not known whether it ends with the sweep.
bool is_known_to_last(const ForwardSweep &sweep, const Instruction &store) {
  const SmallVector<const Value *, 4> objects = objects_of(store);
  if (!needs_redo(sweep, store))
    return true;
  return sweep.deferred.empty() ||
         all_of(objects, [](const Value *object) { return isa<Argument, GlobalVariable>(object); });
}

enum class Suits : std::uint8_t { never, for_overlap, always };

/// On a device, a log of what is to be done again would take memory that nobody has reserved, and so would what is kept
/// of a whole copy. Outside of loops registers are enough (RedoSlots); in loops it is for buffers that overlap, which
/// are rare. Neither if other threads may see that a store was undone, or their stores to the same place come between.
Suits suits_device(const ForwardSweep &sweep, const Instruction &store, const LoopInfo &loops) {
  if (!is_device_code(store))
    return Suits::always;
  if (!isa<StoreInst>(store))
    return Suits::never;
  if (!needs_redo(sweep, store))
    return Suits::always;
  if (communicates(sweep.prepared))
    return Suits::never;
  return loops.getLoopFor(store.getParent()) ? Suits::for_overlap : Suits::always;
}

/// The type of what is overwritten; null when it is not known.
Type *content_type(const Instruction &writer) {
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

bool has_work(const ForwardSweep &sweep, const BasicBlock &prepared_block) {
  return any_of(prepared_block, [&](const Instruction &instruction) { return has_adjoint(sweep, instruction); });
}

} // namespace

/// Only in combined mode: between two functions, the caller may write to the memory as well.
UndoableStores::UndoableStores(const ForwardSweep &sweep, const LoopInfo &loops) : sweep_(sweep) {
  if (sweep.split)
    return;
  const BlocksReachingReturn live(sweep.prepared);
  for (const BasicBlock &block : sweep.prepared) {
    if (!live.contains(&block) || !has_work(sweep, block))
      continue;
    for (const Instruction &instruction : block)
      if (written_memory(instruction))
        if (const auto *copy = dyn_cast_or_null<Instruction>(sweep.primal(&instruction));
            copy && copy->getParent() == sweep.block(&block) && content_type(*copy) && is_known_to_last(sweep, *copy))
          if (const Suits suits = suits_device(sweep, *copy, loops); suits != Suits::never) {
            stores_.insert(copy);
            if (suits == Suits::for_overlap)
              only_for_overlap_.insert(copy);
          }
  }
  drop_unordered();
  keep_one_type();
}

/// What is done again on a device from registers comes before or behind all that is in the log.
void UndoableStores::drop_unordered() {
  if (only_for_overlap_.empty())
    return;
  stores_.remove_if([&](const Instruction *store) {
    const auto comes_after = [&](const Instruction *other) { return isPotentiallyReachable(other, store); };
    const auto comes_before = [&](const Instruction *other) { return isPotentiallyReachable(store, other); };
    return !is_only_for_overlap(*store) && needs_redo(sweep_, *store) && any_of(only_for_overlap_, comes_after) &&
           any_of(only_for_overlap_, comes_before);
  });
}

bool UndoableStores::is_logged(const Instruction &store) const {
  return is_device_code(store) ? is_only_for_overlap(store) : needs_redo(sweep_, store);
}

/// The log of what is to be done again has one order for all stores, and so one type of values.
void UndoableStores::keep_one_type() {
  MapVector<Type *, unsigned> count;
  for (const Instruction *store : stores_)
    if (is_logged(*store))
      ++count[content_type(*store)];
  const auto rank = [](const auto &entry) { return std::pair(entry.first->isFloatingPointTy(), entry.second); };
  const auto most =
      std::max_element(count.begin(), count.end(), [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  if (most == count.end())
    return;
  Type *type = most->first;
  stores_.remove_if([&](const Instruction *store) { return content_type(*store) != type && is_logged(*store); });
}

Undo::Undo(ForwardSweep &sweep, const Plan &plan, ArrayRef<Instruction *> checks)
    : sweep_(sweep), stack_(sweep.function, log_) {
  for (const RestoredStore &restored : plan.restored) {
    if (restored.is_kept_on_stack())
      keep_on_stack(restored, checks);
    else
      keep_on_tape(cast<StoreInst>(*restored.store), restored.repeating);
  }
}

/// What is restored only when memory overlaps, or as a whole.
void Undo::keep_on_stack(const RestoredStore &restored, ArrayRef<Instruction *> checks) {
  Value *condition = ConstantInt::getTrue(sweep_.function.getContext());
  if (restored.check) {
    condition = checks[*restored.check];
    if (is_device_code(*restored.store)) // where a branch costs less than loops of twice as much code
      stack_.open_behind(*checks[*restored.check], content_type(*restored.store));
    else
      sweep_.function.addFnAttr(overlap_loop_versioning_attribute);
  }
  stack_.push(*restored.store, content_type(*restored.store), condition);
  restored_[restored.store] = {nullptr, true, restored.check, {}};
}

void Undo::keep_on_tape(StoreInst &store, ArrayRef<const Loop *> repeating) {
  IRBuilder<> builder(&store);
  LoadInst *old =
      builder.CreateAlignedLoad(store.getValueOperand()->getType(), store.getPointerOperand(), store.getAlign(), "old");
  old->setMetadata(put_back_later, MDNode::get(old->getContext(), {}));
  restored_[&store] = {old, false, {}, repeating};
  repeating_.insert(repeating.begin(), repeating.end());
}

/// No access here has the type that the program's own have: what was there before may have been something else.
void Undo::put_back(IRBuilder<> &builder, const Instruction &store, Value *address, Value *old, Value *is_last) {
  const auto &original = cast<StoreInst>(store);
  if (needs_redo(sweep_, original) && is_device_code(original))
    slots_.note(builder, original, address);
  else if (needs_redo(sweep_, original))
    log_.note(builder, {is_last, address, original.getAlign(), old->getType()});
  builder.CreateAlignedStore(old, address, original.getAlign());
}

void Undo::put_back_if(IRBuilder<> &builder, const Instruction &store, Value *overlap) {
  stack_.pop(builder, {content_type(store), overlap, needs_redo(sweep_, store) ? Redo::needed : Redo::superfluous});
}

/// Of stores outside of loops: whether what is in the log comes later in the program.
bool Undo::comes_before_log(const StoreInst &store) const {
  return any_of(restored_, [&](const auto &entry) {
    return entry.second.is_on_stack && isPotentiallyReachable(&store, entry.first);
  });
}

void Undo::redo(IRBuilder<> &builder) {
  slots_.replay(builder, [&](const StoreInst &store) { return comes_before_log(store); });
  replay_log(builder);
  slots_.replay(builder, [&](const StoreInst &store) { return !comes_before_log(store); });
}

void Undo::replay_log(IRBuilder<> &builder) {
  Value *was_opened = stack_.was_opened(builder);
  BasicBlock *done = nullptr;
  if (was_opened) {
    Function &function = *builder.GetInsertBlock()->getParent();
    auto *kept = BasicBlock::Create(function.getContext(), "kept", &function);
    done = BasicBlock::Create(function.getContext(), "released", &function);
    builder.CreateCondBr(was_opened, kept, done);
    builder.SetInsertPoint(kept);
  }
  log_.replay(builder);
  stack_.release(builder);
  if (done) {
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
  }
}

void Undo::inline_helpers() {
  log_.inline_helpers();
  stack_.inline_helpers();
}

} // namespace assay::engine
