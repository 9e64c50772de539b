#pragma once
// Shadows of integers that are computed from addresses.
//
// From one address: the shadow is as far from the address's shadow as the result is from the address, whatever the
// operation does to its bits; it need not be aligned as the primal is. From two, as their exclusive or: the same
// operation on their shadows, so that the one gives the other back.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// `left` and `right` are shadows of the operands; null for an operand that has none.
llvm::Value *shadow_of_arithmetic(llvm::IRBuilderBase &builder, llvm::BinaryOperator &primal, llvm::Value *left,
                                  llvm::Value *right);

} // namespace assay::engine
