#pragma once
// A by-value aggregate that is passed in memory, or an object of which the function is to have a copy
// (copied_object_attribute): the clone copies it itself, so that its parameter is a plain pointer.

#include "llvm/IR/Function.h"

namespace assay::engine {

void copy_by_value_parameters(llvm::Function &clone);

} // namespace assay::engine
