#pragma once
// The code of core/engine/library, in C: bodies for functions of which a program sees only declarations, and
// helpers of the derivatives' own.

#include "core/engine/support/blas_bodies.hpp"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Gives the declarations of known functions a body that does the same: the C++ library's tree and list links change
/// pointers to active memory, and the links of the shadows must follow. The body is there to be read only
/// (available_externally): the program still links to the library's function.
void add_library_bodies(llvm::Module &module, PrimalResults results);

/// Constructors and destructors of strings are not inline at -O0 before C++20, where a string is a thing of the
/// library's as a whole: its shadow has no content that could be changed.
bool sees_inside_of_strings(const llvm::Module &module);

/// The helper of that name, in the module.
llvm::Function *library_helper(llvm::Module &module, llvm::StringRef name);
/// Helpers of one file, which share its variables. None of them is there yet.
void add_library_helpers(llvm::Module &module, llvm::ArrayRef<std::string> names);

} // namespace assay::engine
