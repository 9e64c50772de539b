#pragma once
// Manual pages in the man macros of roff: assay(1), and assay-check(1) and so on for each command.

#include "cli/command_description.hpp"

#include <filesystem>

namespace assay::cli {

/// The page of the whole, which lists the commands and the exit codes.
std::string manual_page(const std::vector<CommandDescription> &commands);
/// The page of one command.
std::string manual_page(const CommandDescription &command);

/// Writes all pages into the folder, which is made. Throws jit::BadRequest where a file cannot be written.
void write_manual(const std::vector<CommandDescription> &commands, const std::filesystem::path &folder);

} // namespace assay::cli
