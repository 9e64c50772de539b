#pragma once
// What reads text or bytes that somebody else wrote: any input is either taken or refused with one error, and never
// ends the process. libFuzzer calls these with what it makes up (libfuzzer.cpp), a test with damaged inputs.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct ParserTarget {
  std::string_view name;
  /// Whether it is taken. Throws what the command does not expect, which is a fault of the parser.
  bool (*read)(std::string_view input);
  /// Inputs that are taken whole, to begin with.
  std::vector<std::string> (*examples)();
};

/// `arguments`, `objects`, `records`, `project`, `bitcode`.
std::span<const ParserTarget> parser_targets();

} // namespace assay::cli
