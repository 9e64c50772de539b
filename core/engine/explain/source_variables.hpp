#pragma once
// Which variable of the source, or part of one, an SSA value is, by the debug information.
//
// Several variables may name one value: those of the function itself come before those of what was inlined, whole ones
// before parts, and names that are reserved for the implementation last.

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include <optional>
#include <string>

namespace llvm {
class DIType;
class DbgVariableRecord;
} // namespace llvm

namespace assay::engine {

/// A member of a struct: `w._M_start` for one of a member's own.
struct SourceMember {
  std::string path;
  const llvm::DIType *type = nullptr;
};

/// That which begins `bits` bits behind the start of a value of this type, the innermost one; nothing for types without
/// members.
std::optional<SourceMember> member_at(const llvm::DIType *type, std::uint64_t bits);

/// Without typedefs and qualifiers.
const llvm::DIType *without_qualifiers(const llvm::DIType *type);

class SourceVariables {
public:
  explicit SourceVariables(const llvm::Function &function);

  /// Empty where no variable holds the value.
  std::string name(const llvm::Value &value) const;
  /// The value's type in the source; null where it has none.
  const llvm::DIType *type(const llvm::Value &value) const;

private:
  struct Variable {
    std::string name;
    const llvm::DIType *type = nullptr;
    unsigned rank = 0; ///< The lowest counts.
  };
  static std::optional<Variable> variable_of(const llvm::DbgVariableRecord &record);

  llvm::DenseMap<const llvm::Value *, Variable> variables_;
};

} // namespace assay::engine
