#pragma once
// The kind of a global variable, as far as its shadow depends on it.

#include "llvm/IR/GlobalVariable.h"

namespace assay::engine {

/// Virtual tables and run-time type information of C++, some of which are declared as if they were mutable.
bool is_type_description(const llvm::GlobalVariable &global);

/// Run-time type information of C++, and its names. A program only passes its address on, as `std::function` and
/// `std::any` do by way of the word that else leads to their content: it tells nothing of that.
bool is_type_info(const llvm::GlobalVariable &global);

/// A virtual table, or one for an object under construction, of which this file has the functions.
bool is_virtual_table(const llvm::GlobalVariable &global);

/// False for an array of another file that is declared without its length.
bool has_known_size(const llvm::GlobalVariable &global);

} // namespace assay::engine
