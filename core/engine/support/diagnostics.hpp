#pragma once
// Diagnostics of code that cannot be differentiated, each said once: function, source line, instruction, reason,
// remedy.

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Error.h"
#include <string>

namespace assay::engine {

/// The one error type of the engine. `message()` is one line:
/// `FILE:LINE:COLUMN: in function 'f': REASON: INSTRUCTION; REMEDY`.
class DifferentiationError : public llvm::ErrorInfo<DifferentiationError> {
public:
  static char ID;
  DifferentiationError(const llvm::Function &function, const llvm::Instruction *instruction, std::string reason,
                       std::string remedy);
  void log(llvm::raw_ostream &out) const override { out << text_; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  /// The line without the place in front, for a reporter that shows the place itself.
  const std::string &text_without_place() const { return bare_text_; }
  /// Where the instruction (or else the function) stands in the source; empty without debug information.
  const llvm::DebugLoc &place() const { return place_; }

private:
  llvm::DebugLoc place_;
  std::string bare_text_;
  std::string text_;
};

/// `instruction` may be null (the whole function is meant). Names are shown demangled, without the engine's own
/// suffixes.
llvm::Error unsupported(const llvm::Function &function, const llvm::Instruction *instruction, const llvm::Twine &reason,
                        const llvm::Twine &remedy);
llvm::Error unsupported(const llvm::Instruction &instruction, const llvm::Twine &reason, const llvm::Twine &remedy);

/// The name that a user would recognise: demangled, without the prefix and suffix of clones that `prepare` made.
std::string source_name(const llvm::Function &function);

} // namespace assay::engine
