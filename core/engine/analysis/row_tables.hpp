#pragma once
// Tables of rows: memory of the function's own that holds the addresses of allocations of its own, to each of which
// nothing else leads. What stands at different places of a table never shares memory, and no other pointer leads into a
// row. A vector of vectors is one, and so is an array of pointers that is filled by malloc; rows may be tables, too.

#include "core/engine/support/function_info.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <memory>

namespace assay::engine {

/// All pointers into a table, or into the rows of one.
struct RowClass {
  /// How far the places are apart at most in which one row's addresses stand, in bytes: a vector has three.
  std::int64_t span = 0;
  const RowClass *table = nullptr; ///< Where the rows' addresses stand; null for the outermost table.
};

/// An address that was loaded from a table.
struct RowAddress {
  const RowClass *rows = nullptr;
  const llvm::LoadInst *load = nullptr;
  bool is_final = false; ///< No address in the table changes after the load.
};

class RowTables {
public:
  RowTables() = default;
  RowTables(const llvm::Function &function, const llvm::LoopInfo &loops, const FunctionInfo &function_info);

  /// The same tables in a copy of the function, in which `copy_of` may be null.
  RowTables in_copy(llvm::function_ref<const llvm::Value *(const llvm::Value &)> copy_of) const;

  /// The row address that `value` loads; null for other values.
  const RowAddress *find(const llvm::Value &value) const;
  bool empty() const { return rows_.empty(); }
  /// True when no memory is in reach of both: one is a row's and the other another kind of row's, or of no row.
  bool are_apart(const llvm::Value &left, const llvm::Value &right) const;
  /// True when all that the pointer may mean are rows, which it was loaded as.
  bool is_row(const llvm::Value &pointer) const;

private:
  const RowClass *class_of(const llvm::Value &object) const;

  std::vector<std::shared_ptr<const RowClass>> classes_;
  llvm::DenseMap<const llvm::Value *, const RowClass *> class_of_; ///< By pointer into a table or a row.
  llvm::DenseMap<const llvm::Value *, RowAddress> rows_;
};

} // namespace assay::engine
