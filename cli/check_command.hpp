#pragma once
// `assay check`: from the command line to the closing line and the exit code.

#include "cli/check_request.hpp"
#include "cli/console.hpp"
#include "cli/known_failures.hpp"

#include <optional>

namespace assay::cli {

class EditorDiagnostics;

/// By its source-level name.
struct NamedFunction {
  std::string name;
  std::vector<std::string> arguments; ///< Spec texts, one for each parameter; none: those of its mark.
};

/// Where no function is named.
enum class FunctionChoice : std::uint8_t { marked, every_describable };

struct CheckArguments {
  std::vector<std::filesystem::path> files; ///< None: the shipped examples.
  std::vector<NamedFunction> functions;
  FunctionChoice choice = FunctionChoice::marked;
  std::optional<std::string> rule;             ///< Its function, its class, or its table.
  std::optional<std::filesystem::path> points; ///< A table with the values of all arguments without any.
  CheckSettings settings;
};

/// Those of the report that stands in the folder of --report.
enum class EarlierFailures : std::uint8_t { ignored, first, only };

/// Report, reproducers and console output of a run.
struct CheckOutput {
  std::optional<std::filesystem::path> report;
  std::optional<std::filesystem::path> reproducer; ///< Folder for the first failure of each function and mode.
  std::string command_line;                        ///< For the report.
  OutputForm form = OutputForm::text;
  Verbosity verbosity = Verbosity::usual;
  EarlierFailures earlier = EarlierFailures::ignored;
  bool lists = false; ///< Only names the functions that would be checked.
  std::vector<KnownFailure> known_failures;
  std::string day;                          ///< On which known failures expire: YYYY-MM-DD.
  unsigned jobs = 1;                        ///< Processes at once.
  EditorDiagnostics *diagnostics = nullptr; ///< The findings are added to it; null: nobody asked.
};

/// Exit codes of the command.
enum ExitCode : int { all_passed = 0, something_failed = 1, unusable_request = 2, set_up_failed = 3 };

/// All parts are one run. Throws jit::BadRequest where nothing could be checked.
ExitCode run_check(const std::vector<CheckArguments> &parts, const CheckOutput &output);

} // namespace assay::cli
