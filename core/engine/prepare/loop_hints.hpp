#pragma once
// What a program demands of its loops (`#pragma omp simd`, `#pragma clang loop`, `#pragma unroll`) is not demanded of a
// derivative's: clang would warn of each that it does not transform.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True where there was a demand. What the program asserts of a loop stays.
bool drop_loop_hints(llvm::Function &function);

} // namespace assay::engine
