#pragma once
// Functions that take or return structs by value, as functions of numbers and pointers: what the command line can
// describe.

#include "llvm/IR/Function.h"

namespace assay::jit {

/// A function that calls `function` with structs of its own parameters, or null: where it takes and returns no structs,
/// where it is neither C nor a CUDA kernel, where it has no debug information, or where a struct has members that are
/// none of these (unions, bit fields, arrays of pointers).
///
/// Each member is a parameter, in the structs' order: a number or a pointer one of its type, named `grid.dx`; an array
/// a pointer to const, from which its elements are copied. The parts of complex numbers are `z.real` and `z.imag`. A
/// struct of numbers of one type that is returned goes to the memory of the last parameter, `result`.
llvm::Function *function_of_members(llvm::Function &function);

} // namespace assay::jit
