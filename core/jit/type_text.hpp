#pragma once
// Types as the source writes them.

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Type.h"
#include <string>

namespace assay::jit {

/// As C writes it: `const double *`, `double (*)(double)`.
std::string text_of(const llvm::DIType *type);

/// `double (*)(double)`, with `symbol` for `*`; empty where the type is of no function.
std::string text_of_function(const llvm::DIType *type, const char *symbol);

/// `the LLVM type i128`
std::string text_of(llvm::Type *type);

} // namespace assay::jit
