#pragma once
// A derivative as a function of its own, so that it can be differentiated like any other.
//
// Its parameters are those of the function; then, for each of these in their order that is not constant, its shadow:
// for a duplicated pointer the shadow, for a duplicated number (forward) its tangent, for an active one (reverse) the
// address that receives its adjoint; then, in reverse with an active result, the seed. Forward it returns the tangent
// of the result if that is asked for, else nothing; the primal result is left out.

#include "core/jit/derivative.hpp"
#include "core/jit/signature.hpp"

#include "llvm/IR/Function.h"

namespace assay::jit {

/// Of width 1 and in one function.
FunctionSignature signature_of_derivative(const FunctionSignature &function, const Derivative &derivative);

/// The same for the specs of the parameters.
std::vector<ArgumentSpec> arguments_of_derivative(const FunctionSignature &function,
                                                  const std::vector<ArgumentSpec> &arguments,
                                                  const Derivative &derivative);

/// Writes it beside the function, under the name that its signature has.
llvm::Function *write_derivative_function(llvm::Function &function, const Derivative &derivative);

} // namespace assay::jit
