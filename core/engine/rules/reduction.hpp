#pragma once
// The derivatives of llvm.vector.reduce.fadd and llvm.vector.reduce.fmul, which fold a vector into a scalar start
// value.

#include "core/engine/rules/rule_table.hpp"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// Operand 0 is the start value, operand 1 the vector. A tangent of the vector is a vector; an adjoint seed is a
/// scalar.
llvm::Value *emit_reduction_product(llvm::IRBuilderBase &builder, Shape shape, unsigned index,
                                    llvm::ArrayRef<llvm::Value *> operands, llvm::FixedVectorType *vector,
                                    llvm::Value *seed);

} // namespace assay::engine
