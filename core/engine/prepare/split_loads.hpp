#pragma once
// An integer load of which parts become floats is several loads: a union of a double and a float that optimisation
// reads once as i64 is read once as each of the things that the program takes it for. So are the captures of a small
// function object that it reads as a pointer, since others of its kind hold one there.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool split_loads(llvm::Function &function);

} // namespace assay::engine
