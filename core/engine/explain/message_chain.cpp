#include "core/engine/explain/message_chain.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral start = "looked at ", origin = "the memory is ";

/// `read as double (line 3)`: the line becomes the place.
ExplainedStep step(StringRef text) {
  SourcePlace place;
  StringRef bare = text;
  if (bare.consume_back(")"))
    if (const auto [before, number] = bare.rsplit(" (line "); !number.empty() && !number.getAsInteger(10, place.line))
      return {before.str(), place};
  return {text.str(), {}};
}

} // namespace

std::vector<ExplainedStep> chain_of_message(StringRef message) {
  const std::size_t begin = message.find(start);
  if (begin == StringRef::npos)
    return {};
  std::vector<ExplainedStep> chain;
  SmallVector<StringRef, 8> parts;
  message.drop_front(begin).split(parts, "; ");
  chain.push_back({parts.front().str(), {}});
  for (StringRef part : drop_begin(parts)) {
    if (!part.starts_with(origin))
      break;                                 // the instruction, or the remedy
    const std::size_t end = part.find(": "); // the instruction follows behind the last use
    SmallVector<StringRef, 8> uses;
    part.take_front(end).split(uses, ", ");
    for (StringRef use : uses)
      chain.push_back(step(use));
  }
  return chain;
}

} // namespace assay::engine
