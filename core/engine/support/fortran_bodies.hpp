#pragma once
// Bodies of functions of flang's run-time library that move numbers or reduce arrays of them.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// For the functions that the module declares: loops over descriptors, core/engine/library/fortran_*.c.
void add_fortran_bodies(llvm::Module &module);

} // namespace assay::engine
