// libFuzzer's entries for the parser that ASSAY_PARSER names.

#include "cli/parsers/parser_inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>

extern "C" int LLVMFuzzerInitialize(int *count, char ***words);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size);

namespace {

using assay::cli::ParserTarget;

const ParserTarget &target() {
  static const ParserTarget &found =
      *std::find_if(assay::cli::parser_targets().begin(), assay::cli::parser_targets().end(),
                    [](const ParserTarget &one) { return one.name == ASSAY_PARSER; });
  return found;
}

} // namespace

/// A folder of inputs that is empty gets the examples.
int LLVMFuzzerInitialize(int *count, char ***words) {
  for (int index = 1; index < *count; ++index) {
    const std::filesystem::path folder = (*words)[index];
    if (folder.native().starts_with('-') || !std::filesystem::is_directory(folder) ||
        !std::filesystem::is_empty(folder))
      continue;
    const std::vector<std::string> examples = target().examples();
    for (std::size_t example = 0; example < examples.size(); ++example)
      std::ofstream(folder / std::to_string(example), std::ios::binary) << examples[example];
    break;
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size) {
  target().read({reinterpret_cast<const char *>(bytes), size});
  return 0;
}
