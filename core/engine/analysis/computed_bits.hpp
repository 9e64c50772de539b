#pragma once
// What an integer is computed from by operations that can be undone, as those are that encrypt a number or change the
// order of its values: exclusive or, sums, shifts, masks, exchanges of bytes. A product, as in hashes, mixes bits that
// nobody takes apart again.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

struct ComputedBits {
  llvm::SmallVector<const llvm::Value *, 4> numbers;  ///< Floating-point values whose bits are in it.
  llvm::SmallVector<const llvm::LoadInst *, 8> loads; ///< Of integers.
};

ComputedBits computed_bits(const llvm::Value &integer);

} // namespace assay::engine
