#pragma once
// Values of a function in the words of its source: the variable that holds it, else a short expression of variables;
// and the line that it stands at. Needs debug information; without it the names of the IR are taken.

#include "core/engine/explain/source_variables.hpp"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <string>

namespace assay::engine {

/// A place in the source; line 0: not known.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  unsigned own_line = 0;  ///< Of inlined code: the line of the function that called it.
  bool elsewhere = false; ///< It is of another file than the function.

  bool operator==(const SourcePlace &other) const = default;
};

/// `line 12`, or of another file's code `line 8, inlined from vector.h:136`; empty where it is not known.
std::string place_text(const SourcePlace &place);
/// The same with the line of the call where code of the same file was inlined: `line 12, inlined at line 40`.
std::string call_place_text(const SourcePlace &place);

SourcePlace source_place(const llvm::DebugLoc &place);
/// That of the instruction; of a phi without one, that of the code around it.
SourcePlace source_place(const llvm::Instruction &instruction);
/// That of the function itself.
SourcePlace source_place(const llvm::Function &function);

/// As its author calls it, without parameters.
std::string short_name(const llvm::Function &function);

/// Of an intrinsic: that of the operation, such as sqrt.
std::string intrinsic_text(const llvm::Function &intrinsic);

class SourceNames {
public:
  explicit SourceNames(const llvm::Function &function) : variables_(function) {}

  /// Of the variable; empty where there is none.
  std::string variable(const llvm::Value &value) const { return variables_.name(value); }
  /// The variable, or an expression such as `x[i] * y[i]`; never empty.
  std::string text(const llvm::Value &value) const { return expression(value, deepest); }
  /// The expression, even where a variable holds the value.
  std::string definition(const llvm::Value &value) const;
  /// ` (line 12)`, or nothing.
  static std::string line_text(const SourcePlace &place);

private:
  static constexpr unsigned deepest = 3;
  std::string expression(const llvm::Value &value, unsigned depth) const;
  std::string operation(const llvm::Instruction &instruction, unsigned depth) const;
  std::string element(const llvm::Value &pointer, llvm::Type &type, unsigned depth) const;

  bool is_next_of(const llvm::Value &value, llvm::StringRef name) const;
  std::string variable_behind_phis(const llvm::PHINode &phi, unsigned depth) const;
  std::string common_text(const llvm::PHINode &phi, unsigned depth) const;
  /// The type of the value in the source, and of the memory behind it; null where it is not known.
  const llvm::DIType *type_of(const llvm::Value &value, unsigned depth) const;
  const llvm::DIType *pointee_of(const llvm::Value &pointer, unsigned depth) const;
  /// `base->member`, where the pointer is to a member of a struct.
  std::optional<SourceMember> member_behind(const llvm::Value &pointer, const llvm::Value *&base, unsigned depth) const;

  SourceVariables variables_;
};

} // namespace assay::engine
