#pragma once
// A by-value aggregate that is passed in memory: the clone copies it itself, so that its parameter is a plain pointer.

#include "llvm/IR/Function.h"

namespace assay::engine {

void copy_by_value_parameters(llvm::Function &clone);

} // namespace assay::engine
