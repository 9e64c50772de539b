#pragma once
// Values as the printed plan shows them.

#include "llvm/IR/Value.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace assay::engine {

/// As an operand: `%x`, `@g`, `3`.
inline std::string name_of(const llvm::Value &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  value.printAsOperand(out, /*PrintType=*/false);
  return text;
}

/// The whole instruction without metadata and attributes of a call, or the value with its type.
inline std::string text_of(const llvm::Value &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  value.print(out);
  llvm::StringRef whole = llvm::StringRef(text).trim();
  whole = whole.substr(0, whole.find(", !"));
  return whole.substr(0, whole.rfind(" #")).str();
}

} // namespace assay::engine
