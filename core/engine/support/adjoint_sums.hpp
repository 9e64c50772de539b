#pragma once
// Marks of a derivative on its accesses to memory of a device: sums in shadow memory, reads of values that it puts back
// later, and possible padding in its copies of objects.

#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// On a load of the value that a store overwrites: nobody computes with it, so it may be uninitialised.
inline constexpr llvm::StringLiteral put_back_later = "assay.put_back_later";

/// On an integer that is moved beside numbers or pointers of the same object: it may be padding, which nobody wrote.
inline constexpr llvm::StringLiteral piece_of_copy = "assay.piece_of_copy";

/// On a store of the value that the program had left in its memory, at an address from a log: never to shadow memory.
inline constexpr llvm::StringLiteral done_again = "assay.done_again";

/// On a store that clears the adjoint of a value that the function stored, once it was read.
inline constexpr llvm::StringLiteral adjoint_clear = "assay.adjoint_clear";

void mark_adjoint_sum(llvm::AtomicRMWInst &sum);

/// On a sum of the numbers of all lanes of a warp, which one of them adds.
inline constexpr llvm::StringLiteral sum_of_warp = "assay.sum_of_warp";
/// On a wait for the lanes of a warp that is the engine's own: it passes on nothing of the program's.
inline constexpr llvm::StringLiteral own_wait = "assay.own_wait";

/// Sums with the same node belong to one group of the plan (plan/sum_groups.hpp).
void mark_sum_group(llvm::Instruction &sum, llvm::MDNode &group);
/// Null for sums that the plan adds by themselves.
llvm::MDNode *sum_group(const llvm::Instruction &sum);

/// Where a marked sum, or a call of the engine's own that makes sums of a warp, adds to; null for other instructions.
const llvm::Value *place_of_adjoint_sum(const llvm::Instruction &instruction);
llvm::Type *type_of_adjoint_sum(const llvm::Instruction &instruction);

/// The same for sums of several numbers, too, behind a place (grouped and shifted).
const llvm::Value *place_of_sums(const llvm::Instruction &instruction);
llvm::Type *type_of_sums(const llvm::Instruction &instruction);

/// A call of which nobody knows where it adds.
bool may_hide_sums(const llvm::Instruction &instruction);

/// The functions of the engine's own that add up the numbers of a warp's lanes: a number of each lane, which the second
/// and third serve where lanes mean several places or are not all here; and several numbers of each lane, at places
/// that many lanes mean (grouped) or that lie beside each other, lane by lane (shifted).
inline constexpr llvm::StringLiteral warp_add_prefix = "assay.warp.add.";
inline constexpr llvm::StringLiteral pairwise_prefix = "assay.warp.pairwise.";
inline constexpr llvm::StringLiteral partial_warp_prefix = "assay.warp.partial.";
inline constexpr llvm::StringLiteral grouped_warp_add_prefix = "assay.warp.group.";
inline constexpr llvm::StringLiteral shifted_warp_add_prefix = "assay.warp.shift.";

/// The call of a function of the first kind; null for other instructions.
const llvm::CallInst *warp_add(const llvm::Instruction &instruction);

/// They add behind their first argument, and lanes wait for each other.
llvm::MemoryEffects effects_of_warp_adds();

} // namespace assay::engine
