#pragma once
// Stores of the sweep that the reverse sweep can undo, and whether the stored values have to be there again in the end.
// Decided on the forward sweep before the reverse sweep is planned.

#include "core/engine/plan/restored_store.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"

namespace assay::engine {

struct UndoableStoreInput {
  const llvm::Function &prepared;
  const llvm::LoopInfo &loops; ///< Of the sweep.
  bool split;                  ///< The reverse sweep is a function of its own.
  /// The sweep's copy of a prepared instruction; null where it stands in another block than the prepared one.
  llvm::function_ref<const llvm::Instruction *(const llvm::Instruction &)> copy;
  llvm::function_ref<bool(const llvm::Instruction &)> has_adjoint; ///< Of prepared instructions.
  /// Allocations of the sweep that the reverse sweep releases.
  llvm::SmallPtrSet<const llvm::Value *, 4> released_late;
};

class UndoableStores {
public:
  explicit UndoableStores(const UndoableStoreInput &input);
  bool contains(const llvm::Instruction &store) const { return stores_.contains(&store); }
  /// To be restored only where the program finds that memory overlaps.
  bool is_only_for_overlap(const llvm::Instruction &store) const { return only_for_overlap_.contains(&store); }
  /// How the memory of a restored store gets the value that the program left in it.
  Redo redo(const RestoredStore &restored) const;

private:
  enum class Suits : std::uint8_t { never, for_overlap, always };

  Suits suits(const llvm::Instruction &store, const UndoableStoreInput &input) const;
  bool ends_with_sweep(const llvm::Value &object) const;
  bool needs_redo(const llvm::Instruction &store) const;
  bool is_known_to_last(const llvm::Instruction &store) const;
  Suits suits_device(const llvm::Instruction &store, const UndoableStoreInput &input) const;
  bool is_logged(const llvm::Instruction &store) const;
  void drop_unordered();
  void keep_one_type();

  llvm::SmallPtrSet<const llvm::Value *, 4> released_late_;
  llvm::SmallSetVector<const llvm::Instruction *, 16> stores_;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> only_for_overlap_;
};

/// The type of the memory that a store, or an intrinsic that fills or copies, overwrites; null when it is not known.
llvm::Type *overwritten_type(const llvm::Instruction &writer);

} // namespace assay::engine
