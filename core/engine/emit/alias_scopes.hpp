#pragma once
// Primal memory, shadow memory and tape memory do not overlap. Saying so in alias scopes lets the optimiser keep values
// in registers across writes of the other kinds and vectorise adjoint loops.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

enum class ShadowOverlap : std::uint8_t {
  never,
  possible, ///< Runtime activity: a shadow may be its own primal.
};

/// Marks the loads and stores of both sweeps: those listed as tape or shadow accesses, and all others as primal ones.
void mark_alias_scopes(llvm::ArrayRef<llvm::Instruction *> tape, llvm::ArrayRef<llvm::Instruction *> shadow,
                       ShadowOverlap overlap, llvm::Function &forward, llvm::Function &reverse);

/// Forward mode: primal memory and the shadows of each lane do not overlap.
class LaneScopes {
public:
  /// Marks the accesses that `derivative` has so far as the primal's.
  LaneScopes(llvm::Function &derivative, unsigned lanes);
  /// Marks `access`, a lane's copy of `original`. Whatever does not overlap in the primal does not in a lane.
  void mark_lane(llvm::Instruction &access, const llvm::Instruction &original, unsigned lane) const;

private:
  void mark(llvm::Instruction &access, unsigned scope) const;

  llvm::SmallVector<llvm::Metadata *, 8> scopes_; ///< The primal's, then each lane's.
};

/// Which lane's shadow is accessed, as `LaneScopes` said; null for all other memory.
const llvm::MDNode *lane_scope(const llvm::Instruction &access);

/// Pieces of memory that do not overlap each other, such as the arrays in which a loop's values are kept. Vectorisers
/// check addresses over whole loop nests, where pieces that alternate would seem to overlap.
class SeparatePieces {
public:
  SeparatePieces() = default;
  SeparatePieces(llvm::LLVMContext &context, unsigned count);
  void mark(llvm::Instruction &access, unsigned piece) const;

private:
  llvm::SmallVector<llvm::MDNode *, 4> scopes_; ///< Empty when there is nothing to tell apart.
};

} // namespace assay::engine
