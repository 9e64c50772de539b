#pragma once
// Functions that take or return structs by value, or take pointers to rows or to functions, as functions of numbers and
// pointers to numbers, which `--arg` describes.

#include "core/jit/callables.hpp"
#include "llvm/IR/Function.h"

namespace assay::jit {

/// A function that calls `function` with structs and rows of its own parameters, or null: where there are none, where
/// structs and pointers to functions are neither of C nor of a CUDA kernel, where the debug information is missing, or
/// where a struct has members that are none of these (unions, bit fields, arrays of pointers).
///
/// Each member is a parameter, in the structs' order: a number or a pointer one of its type, named `grid.dx`; an array
/// a pointer to const, from which its elements are copied. The parts of complex numbers are `z.real` and `z.imag`. A
/// struct of numbers of one type that is returned goes to the memory of the last parameter, `result`. A pointer to
/// pointers to numbers, `double **a`, is `double *a, int a.rows, int a.columns`, with one row behind the other. A
/// pointer to a function is an integer that nothing reads, and `function` gets what `callables` has at its place, or
/// null.
llvm::Function *function_of_members(llvm::Function &function, const Callables &callables = {});

/// The parameters of `function_of_members(function)` that stand for pointers to functions, with their types in the
/// source.
std::map<unsigned, const llvm::DIType *> pointers_to_functions(const llvm::Function &function);

} // namespace assay::jit
