#pragma once
// Compare-and-exchange of the bits of floats, which `_Atomic double` and `std::atomic<double>` are updated by:
//
//     cmpxchg p, bits(expected), bits(desired)
//
// becomes a load, a comparison of the bits, and a store of the desired or the old value. Threads are not
// differentiated, so nobody else writes in between. In code of a device, where other threads do write, plain exchanges
// of bits become exchanges of numbers.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when anything was changed.
bool rewrite_atomic_floats(llvm::Function &function);

} // namespace assay::engine
