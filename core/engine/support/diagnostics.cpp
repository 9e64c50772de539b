#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace assay::engine {

char DifferentiationError::ID = 0;

namespace {

constexpr size_t longest_instruction = 160; // a call with many arguments would bury the remedy

/// Functions that the engine writes are named STEP.NAME (steps may stack); LLVM adds `.NUMBER` where a name is taken.
StringRef without_engine_names(StringRef name) {
  static constexpr StringLiteral steps[] = {"prepared.", "fwddiffe.", "diffe.", "augmented.", "splitdiffe."};
  while (any_of(steps, [&](StringRef step) { return name.consume_front(step); })) {
  }
  if (const size_t clone = name.find(".assay."); clone != StringRef::npos)
    name = name.take_front(clone);
  const size_t dot = name.rfind('.');
  const bool numbered = dot != StringRef::npos && dot + 1 < name.size() && all_of(name.drop_front(dot + 1), isDigit);
  return numbered ? name.take_front(dot) : name;
}

bool is_in_header_of_cuda(const DILocation &place) {
  const StringRef file = place.getFilename();
  return file.contains("assay/cuda/") || file.ends_with("cuda_runtime.h") || file.ends_with("cuda_runtime_api.h");
}

/// Templates of CUDA's headers stand between the program's line and the runtime's function.
const DILocation *outside_of_cuda(const DILocation *place) {
  while (is_in_header_of_cuda(*place) && place->getInlinedAt())
    place = place->getInlinedAt();
  return place;
}

DebugLoc place_of(const Function &function, const Instruction *instruction) {
  if (instruction && instruction->getDebugLoc())
    return outside_of_cuda(instruction->getDebugLoc().get());
  if (DISubprogram *subprogram = function.getSubprogram())
    return DILocation::get(function.getContext(), subprogram->getLine(), 0, subprogram);
  return {};
}

std::string place_text(const DebugLoc &place) {
  if (!place)
    return {};
  std::string text;
  raw_string_ostream out(text);
  const auto *scope = cast<DIScope>(place.getScope());
  out << scope->getFilename() << ':' << place.getLine() << ':';
  if (place.getCol())
    out << place.getCol() << ':';
  out << ' ';
  return text;
}

/// The instruction as IR, short and without metadata; a direct call names its callee as the user wrote it.
std::string instruction_text(const Instruction &instruction) {
  std::string text;
  raw_string_ostream out(text);
  instruction.print(out);
  StringRef line = StringRef(text).split('\n').first.trim();
  line = line.take_front(line.find(", !")).rtrim();
  std::string shown = line.take_front(longest_instruction).str();
  if (line.size() > longest_instruction)
    shown += " ...";
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    if (const Function *callee = call->getCalledFunction())
      if (const std::string name = source_name(*callee); name != callee->getName())
        shown += " (" + name + ")";
  return shown;
}

} // namespace

std::string source_name(const Function &function) {
  const std::string name = without_engine_names(function.getName()).str();
  std::string shown = demangle(name);
  return shown.empty() ? "(unnamed)" : shown;
}

DifferentiationError::DifferentiationError(const Function &function, const Instruction *instruction, std::string reason,
                                           std::string remedy)
    : place_(place_of(function, instruction)) {
  bare_text_ = "in function '" + source_name(function) + "': " + reason;
  if (instruction)
    bare_text_ += ": " + instruction_text(*instruction);
  if (!remedy.empty())
    bare_text_ += "; " + remedy;
  text_ = place_text(place_) + bare_text_;
}

Error unsupported(const Function &function, const Instruction *instruction, const Twine &reason, const Twine &remedy) {
  return make_error<DifferentiationError>(function, instruction, reason.str(), remedy.str());
}

Error unsupported(const Instruction &instruction, const Twine &reason, const Twine &remedy) {
  return unsupported(*instruction.getFunction(), &instruction, reason, remedy);
}

} // namespace assay::engine
