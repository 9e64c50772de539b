#pragma once
// The digamma function as IR.

#include "core/engine/rules/dialect.hpp"

namespace assay::engine {

/// Fills the empty function `digamma(x)`. Accurate to about 1e-15 of max(|digamma|, 1) for double, and to the precision
/// of the type for x86_fp80 and fp128.
void write_digamma(llvm::Function &function, const Dialect &dialect);

} // namespace assay::engine
