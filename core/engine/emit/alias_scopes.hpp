#pragma once
// Primal memory, shadow memory and tape memory do not overlap. Saying so in alias scopes lets the optimiser keep values in
// registers across writes of the other kinds and vectorise adjoint loops.

#include "llvm/ADT/ArrayRef.h"
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

} // namespace assay::engine
