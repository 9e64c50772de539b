#pragma once
// Numbers that planted code computes with.

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace assay::jit {

/// Of the type of `like`.
inline llvm::Constant *number(const llvm::Value &like, double value) {
  return llvm::ConstantFP::get(like.getType(), value);
}

inline llvm::Value *magnitude_of(llvm::IRBuilder<> &builder, llvm::Value &value) {
  return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, &value);
}

} // namespace assay::jit
