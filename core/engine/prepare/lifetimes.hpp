#pragma once
// Markers of lifetimes would end memory that the reverse sweep still reads.

#include "llvm/IR/Function.h"

namespace assay::engine {

void drop_lifetimes(llvm::Function &function);

} // namespace assay::engine
