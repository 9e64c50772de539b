#pragma once
// Functions that no mathematical library has, written into the module when a derivative first needs them.

#include "core/engine/rules/dialect.hpp"

namespace assay::engine {

bool is_helper(llvm::StringRef name);

/// The type in which the helper computes for numbers of `type`.
llvm::Type *helper_type(llvm::StringRef name, llvm::Type *type);

/// The helper `name` for the type that `signature` returns, made at the first request; it calls functions in `dialect`.
///   digamma(x)              the logarithmic derivative of the gamma function
///   lowered_power(x, y, r)  x^(y - 1), given r = x^y
llvm::Function *helper_function(llvm::Module &module, const Dialect &dialect, llvm::StringRef name,
                                llvm::FunctionType *signature);

/// Inlines the helpers that are a few instructions. The inliner of the pipeline has mostly run when derivatives are
/// written.
void inline_helpers(llvm::Function &derivative);

} // namespace assay::engine
