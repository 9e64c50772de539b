#pragma once
// Completion of commands, options, their choices and file names for bash, zsh and fish.

#include "cli/command_description.hpp"

#include <array>
#include <string_view>

namespace assay::cli {

inline constexpr std::array shells{"bash", "zsh", "fish"};

/// The file that the shell reads. `shell` is one of `shells`.
std::string completion_for(std::string_view shell, const std::vector<CommandDescription> &commands);

} // namespace assay::cli
