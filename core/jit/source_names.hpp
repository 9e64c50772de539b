#pragma once
// What the symbols of a module are called in its source.

#include "llvm/IR/Module.h"
#include <string>

namespace assay::jit {

/// `weight`, `rule::cache` for a static variable of a function, with its place where debug information has it:
/// `rule::cache (rule.c:12)`. `module` is the file's own; a name that it does not have is demangled.
std::string source_name_of_variable(const llvm::Module &module, llvm::StringRef name);

/// `physics::energy`.
std::string source_name_of_function(const llvm::Function &function);

} // namespace assay::jit
