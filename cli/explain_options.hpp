#pragma once
// The command line of `assay explain`.

#include "cli/explain_command.hpp"

#include <CLI/CLI.hpp>
#include <functional>

namespace assay::cli {

/// The values of the options.
struct ExplainWords {
  ExplainArguments arguments;
  std::string function, why, page;
  unsigned level = 2;
};

/// `action` becomes the command once that is read.
void add_explain(CLI::App &app, ExplainWords &words, std::function<ExitCode()> &action);

} // namespace assay::cli
