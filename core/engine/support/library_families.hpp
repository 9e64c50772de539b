#pragma once
// Functions of C++, Rust, Fortran and of sanitizers that are known by how their names begin (library_table.hpp).

#include "core/engine/support/library_table.hpp"

namespace assay::engine {

void add_families(LibraryTable &table);

/// The entry for `name`, a member of `family`: that of the family, but for exceptions.
const LibraryFunction *special_member(llvm::StringRef name, const LibraryFunction &family);

/// A function of Rust's run time, by a path within its name: the hash of the crate stands in front. Null for others.
const LibraryFunction *rust_function(llvm::StringRef name);

} // namespace assay::engine
