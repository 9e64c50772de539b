#include "core/engine/lowering/failures.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace assay::engine {

/// The same at the same place, but for the numbers of values.
static std::string key_of(StringRef text, const DebugLoc &place) {
  std::string key = place ? utostr(place.getLine()) + ":" + utostr(place.getCol()) + ":" : "";
  for (std::size_t at = 0; at < text.size(); ++at) {
    key += text[at];
    if (text[at] == '%')
      while (at + 1 < text.size() && isDigit(text[at + 1]))
        ++at;
  }
  return key;
}

void report(Module &module, Failure &failure, StringSet<> &said) {
  Function *subject = failure.caller;
  if (!subject)
    for (Function &function : module)
      if (!function.isDeclaration()) {
        subject = &function;
        break;
      }
  const auto say = [&](const std::string &text, const DebugLoc &place) {
    if (!said.insert(key_of(text, place)).second)
      return;
    if (subject)
      module.getContext().diagnose(DiagnosticInfoUnsupported(*subject, text, DiagnosticLocation(place)));
    else
      module.getContext().emitError(text);
  };
  handleAllErrors(
      std::move(failure.error),
      [&](const DifferentiationError &error) {
        if (error.place())
          say(error.text_without_place(), error.place());
        else
          say(error.text_without_place(), failure.place);
      },
      [&](const ErrorInfoBase &error) { say(error.message(), failure.place); });
}

} // namespace assay::engine
