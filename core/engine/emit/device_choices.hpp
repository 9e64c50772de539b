#pragma once
// Derivatives of atomic updates that choose (analysis/atomic_choice.hpp), as functions that the device runs.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// The adjoint of `number`: where `place` holds it in the end, the shadow's content is taken, by an atomic exchange
/// with zero, so that one of several threads with the same number gets it; else zero.
llvm::CallInst *take_if_chosen(llvm::IRBuilderBase &builder, llvm::Value *place, llvm::Value *shadow,
                               llvm::Value *number);

/// Where `place` holds `number`, its shadow becomes `tangent`, unless another thread changes the shadow in between:
/// then it is asked again.
llvm::CallInst *settle_if_chosen(llvm::IRBuilderBase &builder, llvm::Value *place, llvm::Value *shadow,
                                 llvm::Value *number, llvm::Value *tangent);

/// The result of an exchange of two numbers in memory.
llvm::Value *exchange_number(llvm::IRBuilderBase &builder, llvm::Value *place, llvm::Value *number);

} // namespace assay::engine
