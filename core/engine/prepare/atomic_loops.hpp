#pragma once
// Loops that update a number in memory by compare-and-swap:
//
//     assumed = *p                                        assumed: a phi of the first value and of what the swap found,
//     do {                                                or read anew in each iteration
//       desired = assumed + v
//       old = compare and swap(p, assumed, desired)
//     } while (old != assumed)
//
// become one atomic operation, `old = atomic add(p, v)`, of which the adjoint is known. So do differences. Loops that
// choose by a comparison stay: an atomic maximum would replace a NaN that they keep. The loop is only left with the
// value that the swap replaced, so this is what the loop does when nobody comes in between; what follows sees the same.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when anything was changed. For code of a device; elsewhere atomic_floats.hpp does more.
bool rewrite_atomic_loops(llvm::Function &function);

} // namespace assay::engine
