#pragma once
// Memory that holds a float at one time and a pointer at another (a small function object's captures): the optimiser
// may store the float as a pointer with its bits, or two floats as one, or one beside an integer or zero bits. Each
// part is stored in its own type again, also where such words meet in a phi or a select before they are stored.

#include "llvm/IR/Function.h"

namespace assay::engine {

void store_floats_as_floats(llvm::Function &function);

} // namespace assay::engine
