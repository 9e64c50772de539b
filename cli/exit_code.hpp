#pragma once
// The outcome of a run as the exit code of the command, the same for checks, nights and replays.

#include "cli/check_command.hpp"
#include "reports/record.hpp"

#include <string>
#include <string_view>

namespace assay::cli {

/// Verdict of functions that could not be loaded, or have nothing to check.
inline constexpr std::string_view cannot_be_checked = "cannot be checked";

/// Whether the engine has no derivative for the combination.
bool is_refused(const reports::Record &record);

/// Where the engine has no derivative for the code, or the function does not come to its end, no gradient was found
/// wrong: the request cannot be served.
class Verdicts {
public:
  void add(const reports::Record &record);
  /// With one line on standard error where the request cannot be served.
  ExitCode told() const;

private:
  bool is_something_wrong_ = false;
  std::string without_primal_, refused_; ///< A line about the last of them; empty: none.
};

} // namespace assay::cli
