#pragma once
// LLVM's instruction selector for unoptimised code looks through `inttoptr (bitcast double)` for an address and takes
// the register of the number for it. Loads of one place as a number and as an address become that, here by GVN.

#include "llvm/IR/Function.h"

namespace assay::engine {

void separate_addresses_from_numbers(llvm::Function &derivative);

} // namespace assay::engine
