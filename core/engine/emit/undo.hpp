#pragma once
// Stores that the reverse sweep undoes. The forward sweep keeps the value that each overwrites; on its way back the
// reverse sweep puts that back, so that memory is again what earlier loads saw. What the caller can see is done again
// in the end, in the order of the program, from a log that the reverse sweep writes: { address, value } per restored
// store.

#include "core/engine/emit/forward_sweep.hpp"
#include "core/engine/emit/redo_log.hpp"
#include "core/engine/emit/redo_slots.hpp"
#include "core/engine/emit/undo_stack.hpp"
#include "core/engine/plan/plan.hpp"

namespace assay::engine {

class Undo {
public:
  /// Adds the loads of what is overwritten to the sweep. `checks` are the answers of the plan's overlap checks.
  Undo(ForwardSweep &sweep, const Plan &plan, llvm::ArrayRef<llvm::Instruction *> checks);

  /// True when a store counts on knowing the loop's last iteration.
  bool repeats(const llvm::Loop &loop) const { return repeating_.contains(&loop); }
  bool is_restored(const llvm::Instruction &instruction) const { return restored_.contains(&instruction); }
  /// The value that the store overwrote, in the forward sweep.
  llvm::Instruction *old_value(const llvm::Instruction &store) const { return restored_.at(&store).old; }
  /// Loops of which only the last iteration's stores are to be done again.
  llvm::ArrayRef<const llvm::Loop *> repeating(const llvm::Instruction &store) const {
    return restored_.at(&store).plan->repeating;
  }
  /// Puts `old` back to `address` in the reverse sweep. `is_last`: no later store wrote to the address.
  void put_back(llvm::IRBuilder<> &builder, const llvm::Instruction &store, llvm::Value *address, llvm::Value *old,
                llvm::Value *is_last);
  /// At the end of the reverse sweep.
  void redo(llvm::IRBuilder<> &builder);

  bool is_on_stack(const llvm::Instruction &store) const { return restored_.at(&store).plan->is_kept_on_stack(); }
  /// For what is restored from the stack, the overlap check that decides; nothing where it always is.
  std::optional<unsigned> check(const llvm::Instruction &store) const { return restored_.at(&store).plan->check; }
  void put_back_if(llvm::IRBuilder<> &builder, const llvm::Instruction &store, llvm::Value *overlap);
  /// Replaces the calls of helpers by their bodies; nothing may refer to block structure afterwards.
  void inline_helpers();

private:
  void keep_on_stack(const RestoredStore &restored, llvm::ArrayRef<llvm::Instruction *> checks);
  void keep_on_tape(const RestoredStore &restored);
  bool comes_before_log(const llvm::StoreInst &store) const;
  void replay_log(llvm::IRBuilder<> &builder);

  struct Entry {
    llvm::Instruction *old = nullptr; ///< Null where a stack keeps it.
    const RestoredStore *plan = nullptr;
  };
  ForwardSweep &sweep_;
  RedoLog log_;
  RedoSlots slots_;
  UndoStack stack_;
  llvm::SmallPtrSet<const llvm::Loop *, 4> repeating_;
  llvm::DenseMap<const llvm::Instruction *, Entry> restored_; ///< By store of the sweep.
};

} // namespace assay::engine
