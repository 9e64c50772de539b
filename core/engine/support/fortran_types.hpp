#pragma once
// The operations of flang's run-time library on objects of derived types, written out for the types of a program.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// Bodies of the functions of library/fortran_types.h that the module declares: a choice among its derived types.
void add_bodies_of_derived_types(llvm::Module &module);

} // namespace assay::engine
