#pragma once
// Indirect calls become direct ones. A call through a pointer is turned into a chain of comparisons with the functions
// of this module that it may reach, each with a direct call; a function that is none of them stops the program with a
// message. So every later stage sees direct calls only, a shadow object needs no functions of its own, and both modes
// follow virtual functions, tables of functions and std::function.
//
// The candidates: for a call through slot k of a virtual table, what stands at slot k of the module's virtual tables;
// for any other, the functions of its type whose address is taken. A call without candidates is left as it is.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was resolved.
bool resolve_indirect_calls(llvm::Function &function);

} // namespace assay::engine
