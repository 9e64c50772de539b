#pragma once
// `assay doctor`: whether this machine has what the commands need, and what to do about what is missing.

#include "cli/check_command.hpp"

namespace assay::cli {

/// Exit code 0, or 3 (set-up) where something is missing that a check needs.
ExitCode run_doctor();

} // namespace assay::cli
