#pragma once
// Stores that the reverse sweep undoes, so that loads before them can be repeated.

#include "core/engine/plan/tape_layout.hpp"

namespace assay::engine {

/// How memory gets its final content once stores were undone.
enum class Redo : std::uint8_t {
  none,  ///< Nobody sees it: it ends with the derivative.
  log,   ///< From a list of addresses and values that the reverse sweep writes.
  slots, ///< On a device outside of loops: from registers.
};

/// The reverse sweep puts back the overwritten value.
struct RestoredStore {
  llvm::Instruction *store = nullptr; ///< Or an intrinsic that fills or copies memory.
  /// Only where this check of the plan finds that the memory of the store and of the loads overlaps.
  std::optional<unsigned> check{};
  llvm::SmallVector<const llvm::LoadInst *, 4> checked{}; ///< These loads.
  /// Each iteration of these overwrites the same memory: in the end only the last one's values are there.
  llvm::SmallVector<const llvm::Loop *, 2> repeating{};
  Redo redo = Redo::none;

  /// The overwritten values are kept on a stack, out of line: of conditional undoing, and of fills and copies. Else on
  /// the tape.
  bool is_kept_on_stack() const { return check || !llvm::isa<llvm::StoreInst>(store); }
};

/// The check whether `writer` writes to the memory of `access`; nothing when there is none.
inline std::optional<unsigned> overlap_of(const llvm::Instruction &writer, const llvm::Instruction &access,
                                          llvm::ArrayRef<RestoredStore> all_restored) {
  for (const RestoredStore &restored : all_restored)
    if (restored.store == &writer && restored.check && llvm::is_contained(restored.checked, &access))
      return restored.check;
  return std::nullopt;
}

} // namespace assay::engine
