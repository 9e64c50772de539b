#pragma once
// The product of two complex numbers as C defines it: ac - bd and ad + bc, unless both are NaN; then a function of the
// compiler's library finds out whether the product is infinite.
//
// Its derivative is the same on all of these paths, so the reverse sweep need not know which was taken. All of it
// becomes a function that counts as inactive, assay.primal.product, and each part is named by itself, as the parts of
// other complex functions are (complex_calls.hpp).

#include "llvm/IR/Function.h"

namespace assay::engine {

/// Behind the expansion of known calls, which names the parts of the library's result.
void join_complex_products(llvm::Function &function);

} // namespace assay::engine
