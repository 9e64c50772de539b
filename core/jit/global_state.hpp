#pragma once
// The global variables of a compiled module, so that every call can find them as the first one did.

#include "llvm/IR/Module.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::jit {

/// One row of the table that `write_global_table` puts into a module; the last row has size 0.
struct GlobalRow {
  void *address;
  std::uint64_t size;
};

/// Adds a table of all variables of `module` that can change, those that the engine made included.
void write_global_table(llvm::Module &module, llvm::StringRef name);

/// What the variables held when this was made.
class GlobalState {
public:
  explicit GlobalState(const GlobalRow *table);
  void restore() const;

private:
  struct Variable {
    std::byte *address;
    std::vector<std::byte> contents;
  };
  std::vector<Variable> variables_;
};

} // namespace assay::jit
