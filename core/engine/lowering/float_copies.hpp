#pragma once
// Copies of structs of numbers, in programs that compute with floats as well as doubles. The optimiser makes integers
// of words of eight bytes, and those of a type-erased object (a closure of std::function) may be doubles, addresses or
// pairs of floats. What clang says of the struct is kept: pairs of floats, and what is a double alone, are copied as
// numbers.

#include "llvm/IR/Module.h"

namespace assay::engine {

void copy_floats_as_floats(llvm::Module &module);

} // namespace assay::engine
