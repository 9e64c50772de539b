#pragma once
// How sources are compiled and linked, as the user says it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

struct SourceOptions {
  std::vector<std::string> flags;             ///< Of the compiler, as behind `--`.
  std::optional<std::filesystem::path> build; ///< Folder with compile_commands.json, which has each file's flags.
  std::vector<std::filesystem::path> with;    ///< Sources, bitcode, objects and libraries.
};

} // namespace assay::cli
