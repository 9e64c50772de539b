#pragma once
// Which function an address of compiled code belongs to.

#include "llvm/IR/Module.h"
#include <map>
#include <string>

namespace assay::jit {

/// One row of the table that `write_function_table` puts into a module; the last row has no address.
struct FunctionRow {
  const void *address;
  const char *name; ///< In the module; null for one that the engine wrote.
};

/// Adds a table of all functions of `module`; those that `program` has too are a person's.
void write_function_table(llvm::Module &module, llvm::StringRef name, const llvm::Module &program);

class FunctionTable {
public:
  void add(const FunctionRow *table);
  /// The symbol of the function around `address`; empty where a person wrote none there.
  std::string symbol_at(const void *address) const;

private:
  std::map<const void *, std::string, std::less<>> symbols_; ///< By where they begin.
};

} // namespace assay::jit
