#pragma once
// Writes the entries of derivative.hpp into a module: functions of one signature that call the function itself, or ask
// for a derivative of it in the convention that C programs use.

#include "core/jit/derivative.hpp"
#include "llvm/IR/Function.h"

namespace assay::jit {

/// `name` becomes the symbol of the new function.
llvm::Function *write_primal_entry(llvm::Function &function, llvm::StringRef name);
llvm::Function *write_derivative_entry(llvm::Function &function, const Derivative &derivative, llvm::StringRef name);

} // namespace assay::jit
