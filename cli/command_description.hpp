#pragma once
// The command line as plain data, read off CLI11's description: what --help, the manual pages and the completions say
// has one source.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace assay::cli {

struct OptionDescription {
  std::vector<std::string> names;   ///< With their dashes, as `--seed`; empty for a positional argument.
  std::string value;                ///< What stands behind it, as `NAME`; empty for a flag.
  std::string text, standard;       ///< What it does; the value without it, or empty.
  std::vector<std::string> choices; ///< All values that there are, where they can be listed.
  bool is_required = false, takes_file = false;
};

struct CommandDescription {
  std::string name, text, footer;
  std::vector<OptionDescription> options, positionals;
};

/// Of each subcommand, in the order of --help.
std::vector<CommandDescription> describe_commands(const CLI::App &app);

} // namespace assay::cli
