#pragma once
// How each value of the forward sweep that the reverse sweep reads gets there. The kept values are a minimum vertex cut
// between the values that cannot be computed again and those that are needed; stores that may be restored, so that
// loads before them can be repeated, are vertices of it, too.

#include "core/engine/plan/needs.hpp"
#include "core/engine/plan/overlap_check.hpp"
#include "core/engine/plan/reload.hpp"
#include "core/engine/plan/restored_store.hpp"

namespace assay::engine {

enum class Storage : std::uint8_t {
  direct,      ///< The value itself is still there: combined mode, computed once on every path.
  recompute,   ///< Computed again from its operands (loads included, where the memory has not changed).
  closed_form, ///< A loop-carried value: start + iteration * step.
  iteration,   ///< A loop's iteration counter: the reverse loop has its own.
  frame,       ///< Stack memory that was placed into the tape's frame.
  tape,        ///< Stored when computed, loaded when needed.
};

llvm::StringRef name_of(Storage storage);

struct StoragePlan {
  llvm::DenseMap<const llvm::Value *, Storage> storage;
  llvm::SmallVector<KeptValue, 16> kept;        ///< Results of instructions, in program order.
  llvm::SmallVector<RestoredStore, 4> restored; ///< In program order.
  llvm::SmallVector<OverlapCheck, 4> overlap_checks;
  /// Arguments of the sweep that the reverse sweep reads, or computes values from.
  llvm::SmallPtrSet<const llvm::Argument *, 8> arguments_read;
};

struct StorageInput {
  llvm::Function &sweep;
  const Needs &needed;
  const ControlRecord &control;
  const llvm::LoopInfo &loops;
  const llvm::DominatorTree &dominators;
  llvm::ScalarEvolution &evolution;
  bool split; ///< The reverse sweep is a function of its own.
  llvm::function_ref<const Reload &(const llvm::LoadInst &)> reload;
  llvm::function_ref<bool(const llvm::Instruction &)> is_expensive;
  /// Functions of numbers, such as those of a device's library of mathematics, that may be called again.
  llvm::function_ref<bool(const llvm::CallBase &)> may_call_again;
  /// Stores to be restored only where a check finds that memory overlaps.
  llvm::function_ref<bool(const llvm::Instruction &)> is_only_for_overlap;
};

StoragePlan plan_storage(const StorageInput &input);

} // namespace assay::engine
