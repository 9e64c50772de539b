#include "core/engine/emit/undo.hpp"
#include "core/engine/plan/undoable_stores.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/Analysis/CFG.h"

using namespace llvm;

namespace assay::engine {

Undo::Undo(ForwardSweep &sweep, const Plan &plan, ArrayRef<Instruction *> checks)
    : sweep_(sweep), stack_(sweep.function, log_) {
  for (const RestoredStore &restored : plan.restored) {
    if (restored.is_kept_on_stack())
      keep_on_stack(restored, checks);
    else
      keep_on_tape(restored);
  }
}

/// What is restored only when memory overlaps, or as a whole.
void Undo::keep_on_stack(const RestoredStore &restored, ArrayRef<Instruction *> checks) {
  Value *condition = ConstantInt::getTrue(sweep_.function.getContext());
  if (restored.check) {
    condition = checks[*restored.check];
    if (is_device_code(*restored.store)) // where a branch costs less than loops of twice as much code
      stack_.open_behind(*checks[*restored.check], overwritten_type(*restored.store));
    else
      sweep_.function.addFnAttr(overlap_loop_versioning_attribute);
  }
  stack_.push(*restored.store, overwritten_type(*restored.store), condition);
  restored_[restored.store] = {nullptr, &restored};
}

void Undo::keep_on_tape(const RestoredStore &restored) {
  auto &store = cast<StoreInst>(*restored.store);
  IRBuilder<> builder(&store);
  LoadInst *old =
      builder.CreateAlignedLoad(store.getValueOperand()->getType(), store.getPointerOperand(), store.getAlign(), "old");
  old->setMetadata(put_back_later, MDNode::get(old->getContext(), {}));
  restored_[&store] = {old, &restored};
  repeating_.insert(restored.repeating.begin(), restored.repeating.end());
}

/// No access here has the type that the program's own have: what was there before may have been something else.
void Undo::put_back(IRBuilder<> &builder, const Instruction &store, Value *address, Value *old, Value *is_last) {
  const auto &original = cast<StoreInst>(store);
  switch (restored_.at(&store).plan->redo) {
  case Redo::none:
    break;
  case Redo::log:
    log_.note(builder, {is_last, address, original.getAlign(), old->getType()});
    break;
  case Redo::slots:
    slots_.note(builder, original, address);
    break;
  }
  builder.CreateAlignedStore(old, address, original.getAlign());
}

void Undo::put_back_if(IRBuilder<> &builder, const Instruction &store, Value *overlap) {
  stack_.pop(builder, {overwritten_type(store), overlap, restored_.at(&store).plan->redo});
}

/// Of stores outside of loops: whether what is in the log comes later in the program.
bool Undo::comes_before_log(const StoreInst &store) const {
  return any_of(restored_, [&](const auto &entry) {
    return entry.second.plan->is_kept_on_stack() && isPotentiallyReachable(&store, entry.first);
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
