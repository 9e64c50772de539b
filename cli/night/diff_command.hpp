#pragma once
// `assay diff`: compares two nights, or two reports of checks, link by link.

#include "cli/check_command.hpp"

namespace assay::cli {

/// All passed: the same cases, verdicts and digests; else something failed. Throws jit::BadRequest where one of them is
/// no report.
ExitCode run_diff(const std::filesystem::path &first, const std::filesystem::path &second);

} // namespace assay::cli
