#pragma once
// Parsers of foreign input: any input is either accepted or refused with one error, and never ends the process.
// libFuzzer calls these with generated inputs (libfuzzer.cpp), a test with damaged ones.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct ParserTarget {
  std::string_view name;
  /// Whether it is accepted. An exception is a fault of the parser.
  bool (*read)(std::string_view input);
  /// Inputs that are taken whole, to begin with.
  std::vector<std::string> (*examples)();
};

/// `arguments`, `objects`, `records`, `project`, `bitcode`.
std::span<const ParserTarget> parser_targets();

} // namespace assay::cli
