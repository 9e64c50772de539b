#pragma once
// The shadow of a virtual table in reverse mode: a table of the same layout whose functions are pairs of an augmented
// and a reverse pass. Offsets and type information stay, so that conversions of the object work, and so do destructors,
// which release a shadow object like any other.

#include "core/engine/plan/derivative_source.hpp"

namespace assay::engine {

/// The virtual tables of this file.
llvm::SmallVector<llvm::GlobalVariable *, 8> virtual_tables(llvm::Module &module);

/// The shadow of `table`. A function that cannot be differentiated has a pair that stops the program with a message.
llvm::GlobalVariable &shadow_table(DerivativeSource &engine, llvm::GlobalVariable &table);

/// A place in a virtual table.
struct TablePlace {
  llvm::GlobalVariable *table = nullptr;
  llvm::APInt offset;
};
/// Where `pointer` points, where that is known to be a place in a table; `table` is null otherwise.
TablePlace table_place(llvm::Value &pointer);

} // namespace assay::engine
