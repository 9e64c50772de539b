#pragma once
// The command line of `assay check`.

#include "cli/check_command.hpp"

#include <CLI/CLI.hpp>
#include <functional>

namespace assay::cli {

/// The values of the options.
struct CheckWords {
  CheckArguments arguments;
  CheckOutput output;
  std::vector<std::string> files, functions, specs;
  std::string rule, points, mode = "all", oracle = "auto", launch, backend = "auto", test_file, report, reproducer;
  unsigned level = 2;
};

/// `action` becomes the command once that is read.
void add_check(CLI::App &app, CheckWords &words, std::function<ExitCode()> &action);

} // namespace assay::cli
