#pragma once
// Memory that holds a float at one time and a pointer at another (a small function object's captures): the optimiser
// may store the float as a pointer with its bits, or two floats as one. They are stored as floats again.

#include "llvm/IR/Function.h"

namespace assay::engine {

void store_floats_as_floats(llvm::Function &function);

} // namespace assay::engine
