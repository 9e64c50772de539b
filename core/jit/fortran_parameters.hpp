#pragma once
// Procedures of Fortran as functions of numbers and pointers to numbers, which `--arg` describes.

#include "core/jit/signature.hpp"
#include "llvm/IR/Function.h"
#include <string>
#include <vector>

namespace assay::jit {

/// A function that calls `function`, with its signature; null without debug information of flang.
///
/// A number is a pointer to one (ParameterType::is_reference), an integer or logical its value, a complex number and a
/// derived type of real numbers a pointer to them. The extents of an array of assumed shape are those of its spec, and
/// so is the length of characters; a procedure is the one that its spec names. A complex result goes to the memory of
/// the last parameter, `result`. Where there is not one spec for each parameter, the signature is for reading only.
/// Throws BadRequest.
llvm::Function *function_of_numbers(llvm::Function &function, const std::vector<std::string> &specs,
                                    FunctionSignature &signature, Pointees pointees);

} // namespace assay::jit
