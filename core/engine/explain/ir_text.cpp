#include "core/engine/explain/ir_text.hpp"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace assay::engine {

IrText::IrText(const Function &function) : slots_(function.getParent(), false) {
  slots_.incorporateFunction(function);
}

std::string IrText::operator()(const Value &value) {
  constexpr std::size_t longest = 160;
  std::string text;
  raw_string_ostream out(text);
  value.print(out, slots_);
  StringRef line = StringRef(text).split('\n').first.trim();
  line = line.take_front(line.find(", !")).rtrim();
  return line.take_front(longest).str();
}

} // namespace assay::engine
