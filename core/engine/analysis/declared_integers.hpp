#pragma once
// Integers by declaration, in code that was compiled without optimisation.
//
// Such code has no TBAA, but its addresses still name the fields of structs. An access to a field that the program
// declares as an integer gets a tag that says so, as it would have with optimisation. The tags have a root of their
// own: they tell type analysis what is there and alias analysis nothing. Members of unions are not told.

#include "llvm/IR/Module.h"

namespace assay::engine {

void note_declared_integers(llvm::Module &module);

} // namespace assay::engine
