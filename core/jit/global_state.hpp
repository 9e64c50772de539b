#pragma once
// The global variables of a compiled module, so that every call can find them as the first one did.

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::jit {

/// One row of the table that `write_global_table` puts into a module; the last row has size 0.
struct GlobalRow {
  void *address;
  std::uint64_t size;
  std::int64_t
      unit; ///< 0: a whole variable; else numbers of so many bytes in one, floating point (> 0) or integer (< 0).
};

/// The names of the variables that can change.
llvm::StringSet<> changing_variables(const llvm::Module &module);

/// Adds a table of all variables of `module` that can change, those that the engine made included, and of the numbers
/// in the program's own.
void write_global_table(llvm::Module &module, llvm::StringRef name, const llvm::StringSet<> &own);

/// What the variables held when this was made.
class GlobalState {
public:
  explicit GlobalState(const GlobalRow *table);
  void restore() const;

  /// Numbers become signalling NaNs; integers that still hold what they held become 0, or 1 where they were 0. What was
  /// changed may be the program's book-keeping, as of an allocator.
  void scramble() const;

private:
  struct Variable {
    std::byte *address;
    std::vector<std::byte> contents;
  };
  std::vector<Variable> variables_;
  std::vector<GlobalRow> numbers_;
};

} // namespace assay::jit
