#pragma once
// Vector loads that the optimiser made of loads of different things become those loads again.
//
// A structure of a number and a pointer may be loaded as two doubles, the pointer taken from the bits of one of them;
// or as two of which one is never looked at. Each lane that is used is loaded by itself, in its own type.

#include "llvm/IR/Function.h"

namespace assay::engine {

void split_vector_loads(llvm::Function &function);

} // namespace assay::engine
