#pragma once
// What a derivative marks among its accesses to memory of a device: sums in shadow memory, and reads of what it puts
// back later.

#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// On a load of what a store overwrites: nobody computes with it, so it may be uninitialised.
inline constexpr llvm::StringLiteral put_back_later = "assay.put_back_later";

void mark_adjoint_sum(llvm::AtomicRMWInst &sum);

/// Where a marked sum, or a call of the engine's own that makes sums of a warp, adds to; null for other instructions.
const llvm::Value *place_of_adjoint_sum(const llvm::Instruction &instruction);
llvm::Type *type_of_adjoint_sum(const llvm::Instruction &instruction);

/// A call of which nobody knows where it adds.
bool may_hide_sums(const llvm::Instruction &instruction);

/// The functions of the engine's own that add up what some lanes of a warp have.
inline constexpr llvm::StringLiteral pairwise_prefix = "assay.warp.pairwise.";

} // namespace assay::engine
