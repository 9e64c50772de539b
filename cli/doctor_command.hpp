#pragma once
// `assay doctor`: the programs, files and libraries that the commands need on this machine, with a remedy for each that
// is missing.

#include "cli/check_command.hpp"

namespace assay::cli {

/// Exit code 0, or 3 (set-up) where a requirement of `assay check` is missing.
ExitCode run_doctor();

} // namespace assay::cli
