#pragma once
// Integer constants stored to floating-point memory (`store i64 0` is what a memset of one double becomes): the same
// bits as floating stores, whose adjoint ends the life of the value before it.

#include "core/engine/analysis/types.hpp"

namespace assay::engine {

void retype_constant_stores(llvm::Function &function, const TypeAnalysis &types);

} // namespace assay::engine
