#pragma once
// The first guess of a loop of compare-and-swap: read plainly, and compared by the swap, so that it does no harm where
// it is out of date. CUDA's programming guide writes sums so.

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::gpu {

using Loads = llvm::SmallPtrSet<const llvm::LoadInst *, 4>;

/// Those loads of a function that are first guesses. Unoptimised code is looked at as a copy without variables, into
/// which functions with a swap are inlined.
Loads first_guesses(llvm::Function &function);

} // namespace assay::gpu
