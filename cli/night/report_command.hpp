#pragma once
// `assay report`: the files of a report again from its records, with the changes since another.

#include "cli/check_command.hpp"

namespace assay::cli {

/// Of a night or of a check. Throws jit::BadRequest.
ExitCode run_report(const std::filesystem::path &folder, const std::optional<std::filesystem::path> &baseline,
                    const std::optional<std::filesystem::path> &history);

} // namespace assay::cli
