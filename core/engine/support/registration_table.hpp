#pragma once
// The entries of a registration table: the pointers, strings and numbers that a global such as
// `void *__enzyme_register_gradient_f[] = {(void *)f, (void *)augmented, (void *)reverse}` holds.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace assay::engine {

class RegistrationTable {
public:
  /// Reads a constant initialiser of any shape (array, struct, scalar), or, for a table that C++ fills at start-up,
  /// the stores of its dynamic initialiser.
  static RegistrationTable read(llvm::GlobalVariable &global);

  std::string name() const;
  unsigned size() const { return entries_.size(); }
  /// Each gives an error that names the table and the entry when it is something else.
  llvm::Expected<llvm::Function *> function(unsigned index) const;
  llvm::Expected<llvm::GlobalVariable *> global(unsigned index) const;
  llvm::Expected<std::string> text(unsigned index) const;
  llvm::Expected<std::int64_t> number(unsigned index) const;
  /// An error that names the table.
  llvm::Error malformed(const llvm::Twine &reason) const;
  /// An error unless the table has `count` entries; `meaning` names them.
  llvm::Error expect_size(unsigned count, llvm::StringRef meaning) const;

private:
  explicit RegistrationTable(llvm::GlobalVariable &global) : global_(&global) {}

  llvm::GlobalVariable *global_;
  llvm::SmallVector<llvm::Constant *, 4> entries_; ///< Stripped of casts and aliases; null where it is no constant.
};

} // namespace assay::engine
