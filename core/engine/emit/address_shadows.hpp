#pragma once
// Shadows of integers that are computed from addresses.
//
// From one address: the shadow is as far from the address's shadow as the result is from the address, whatever the
// operation does to its bits; it need not be aligned as the primal is. From two, as their exclusive or: the same
// operation on their shadows, so that the one gives the other back.

#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// An error where one operand has a shadow and the other has none, but is a link of a list whose links are computed:
/// what leads from one address to another is not the same between their shadows.
llvm::Error check_arithmetic(const llvm::BinaryOperator &operation, bool left, bool right);

/// `left` and `right` are shadows of the operands; null for an operand that has none.
llvm::Value *shadow_of_arithmetic(llvm::IRBuilderBase &builder, llvm::BinaryOperator &primal, llvm::Value *left,
                                  llvm::Value *right);

} // namespace assay::engine
