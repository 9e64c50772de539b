#pragma once
// `assay check`: from the command line to the closing line and the exit code.

#include "cli/check_request.hpp"

#include <optional>

namespace assay::cli {

struct CheckArguments {
  std::optional<std::filesystem::path> file; ///< Absent: the shipped examples.
  std::optional<std::string> function;
  std::optional<std::string> rule;             ///< Its function, its class, or its table.
  std::vector<std::string> arguments;          ///< Spec texts.
  std::optional<std::filesystem::path> points; ///< A table with the values of all arguments without any.
  CheckSettings settings;
  std::optional<std::filesystem::path> report;
  std::optional<std::filesystem::path> reproducer; ///< Folder for the first failure of each function and mode.
  std::string command_line;                        ///< For the report.
};

/// Exit codes of the command.
enum ExitCode : int { all_passed = 0, something_failed = 1, unusable_request = 2 };

/// Throws jit::BadRequest where nothing could be checked.
ExitCode run_check(const CheckArguments &arguments);

} // namespace assay::cli
