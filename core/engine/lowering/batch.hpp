#pragma once
// `__enzyme_batch(f, enzyme_width, W, enzyme_vector, v1..vW, enzyme_scalar, s, ...)`: f called W times. Without a
// marker, pointers and floating-point values are vectors and integers are scalars.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// Emits the W calls; returns their results, lane by lane.
llvm::Expected<llvm::SmallVector<llvm::Value *, 4>> emit_batch(llvm::IRBuilderBase &builder, llvm::CallBase &call,
                                                               llvm::Function &function);

} // namespace assay::engine
