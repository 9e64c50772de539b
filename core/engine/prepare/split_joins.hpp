#pragma once
// What is joined from several loads of addresses and then read as a float is joined as a float as well: the captures of
// a small function object are moved as an address, and where the place that they were moved to is read as a number, the
// optimiser takes the moved address for the number's bits. The joined address stays for what else is done with it.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool split_joins(llvm::Function &function);

} // namespace assay::engine
