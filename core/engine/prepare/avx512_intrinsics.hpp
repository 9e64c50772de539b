#pragma once
// Instructions of AVX-512 with masks or modes of rounding: general operations, and a select where lanes are masked off.
// With a mode of their own for rounding they stay what they are.

#include "llvm/IR/IntrinsicInst.h"

namespace assay::engine {

/// What `call` computes; `name` is what follows "llvm.x86.avx512." of it. Null for what is not known.
llvm::Value *expand_avx512_intrinsic(llvm::IntrinsicInst &call, llvm::StringRef name);

} // namespace assay::engine
