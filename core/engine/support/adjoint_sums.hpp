#pragma once
// The sums in shadow memory of device code that a derivative writes.

#include "llvm/IR/Instructions.h"

namespace assay::engine {

void mark_adjoint_sum(llvm::AtomicRMWInst &sum);

/// Where a marked sum, or a call of the engine's own that makes sums of a warp, adds to; null for other instructions.
const llvm::Value *place_of_adjoint_sum(const llvm::Instruction &instruction);
llvm::Type *type_of_adjoint_sum(const llvm::Instruction &instruction);

/// A call of which nobody knows where it adds.
bool may_hide_sums(const llvm::Instruction &instruction);

/// The functions of the engine's own that add up what some lanes of a warp have.
inline constexpr llvm::StringLiteral pairwise_prefix = "assay.warp.pairwise.";

} // namespace assay::engine
