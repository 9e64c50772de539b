#pragma once
// The command line as plain data, read from CLI11's description: one source for --help, manual pages and completions.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace assay::cli {

struct OptionDescription {
  std::vector<std::string> names;   ///< With their dashes, as `--seed`; empty for a positional argument.
  std::string value;                ///< The placeholder of its value, as `NAME`; empty for a flag.
  std::string text, standard;       ///< Its help text; its default value, or empty.
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
