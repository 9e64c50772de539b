#pragma once
// Flags of a compiler as projects have them: those that say what the code means stay, those that say what becomes of it
// go.

#include "core/jit/compile_source.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

struct MeaningfulFlags {
  std::vector<std::string> flags;
  std::optional<jit::OptimizationLevel> level; ///< Of -O...
};

/// Of words that a build system calls the compiler with, without the compiler itself. What is written, warned about,
/// instrumented or linked does not matter; words that are no flags are input files.
MeaningfulFlags flags_of_build(const std::vector<std::string> &words);

/// Of what a user writes behind `--`. Throws jit::BadRequest for flags that ask for another output than code, and for
/// words that are no flags.
MeaningfulFlags flags_of_user(const std::vector<std::string> &words);

/// Paths in include flags made absolute.
std::vector<std::string> with_absolute_paths(std::vector<std::string> flags);

} // namespace assay::cli
