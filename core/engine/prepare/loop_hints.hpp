#pragma once
// Transformation hints in loop metadata (`#pragma omp simd`, `#pragma clang loop`, `#pragma unroll`) are dropped from
// derivatives: clang would warn of each loop that it does not transform.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True where there was a hint. Assertions (parallel accesses, progress) stay.
bool drop_loop_hints(llvm::Function &function);

} // namespace assay::engine
