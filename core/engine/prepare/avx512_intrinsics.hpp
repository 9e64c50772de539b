#pragma once
// Instructions of AVX-512 with masks or modes of rounding: general operations, and a select where lanes are masked off.
// Instructions with an explicit rounding mode are left alone.

#include "llvm/IR/IntrinsicInst.h"

namespace assay::engine {

/// The value that `call` computes; `name` is its own, behind "llvm.x86.avx512.". Null for other intrinsics.
llvm::Value *expand_avx512_intrinsic(llvm::IntrinsicInst &call, llvm::StringRef name);

} // namespace assay::engine
