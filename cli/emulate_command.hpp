#pragma once
// `assay emulate program.cu ... [-- arguments]`: a CUDA program, its derivatives included, on the CPU.

#include "cli/check_command.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

struct EmulateArguments {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> program_arguments;
  std::string level = "2";
  std::vector<std::string> include_directories, definitions; ///< As -I and -D of clang.
  std::vector<std::string> flags;                            ///< Further ones of clang.
  std::string order = "ascending";             ///< Of threads and blocks: or `descending`, or the seed of a random one.
  bool watches = false;                        ///< Looks for races and wrong accesses.
  std::optional<std::filesystem::path> output; ///< Not absent: the program is written here and not run.
};

/// The exit code of the program. Throws jit::BadRequest where a file does not compile.
int run_emulate(const EmulateArguments &arguments);

} // namespace assay::cli
