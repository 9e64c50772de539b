#pragma once
// Numbers of 16 bits that are moved as parts of integers.
//
// A pair of halves is a word to the hardware: code shifts, cuts and joins it, and vectors of 16-bit integers hold
// halves. Where such bits are used as numbers, they are taken from where they come from as numbers.

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// Sixteen bits of an integer, a number or a vector.
struct HalfLane {
  llvm::Value *value = nullptr;
  unsigned lane = 0; ///< Counted from the lowest bits.
  friend bool operator==(const HalfLane &, const HalfLane &) = default;
};

/// Where these bits come from: through moves back to an instruction that is none. Bits that are known are a constant of
/// 16 bits.
HalfLane origin_of(HalfLane bits);
/// The floating type that these bits are made as, or that one of their uses takes them for; null where there is none.
llvm::Type *half_type(HalfLane bits);
/// As a number of `type`.
llvm::Value *emit_half(llvm::IRBuilderBase &builder, HalfLane bits, llvm::Type *type);

void rewrite_packed_halves(llvm::Function &function);

} // namespace assay::engine
