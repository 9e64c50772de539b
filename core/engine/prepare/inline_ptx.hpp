#pragma once
// Arithmetic of half precision in CUDA's headers is inline PTX on integers (`{add.f16 %0,%1,%2;}`), some of it many
// instructions long. In the clone it is arithmetic of halves, so that rules and analyses know it; so is other PTX in a
// straight line, as the shuffles with guarded sums of CUB. Other PTX that names halves is refused: on integers,
// its derivative would silently be zero.

#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

llvm::Expected<bool> rewrite_inline_ptx(llvm::Function &function);

} // namespace assay::engine
