#pragma once
// The function of members (struct_parameters.hpp) as a C program has it.

#include "core/jit/signature.hpp"
#include "llvm/IR/Function.h"

namespace assay::jit {

/// The definition of a function `name` of the parameters of `signature`, that of `function_of_members(function)`: it
/// puts structs and rows together and calls `function`. `specs` name its functions; those that are not among `known`,
/// the file's own, are declared. Empty where a struct has no name to declare it by.
std::string source_of_members(const llvm::Function &function, const FunctionSignature &signature,
                              const std::vector<std::string> &specs, const std::vector<std::string> &known,
                              const std::string &name);

} // namespace assay::jit
