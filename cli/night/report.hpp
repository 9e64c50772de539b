#pragma once
// The files beside the records of a night.

#include "cli/night/log.hpp"

namespace assay::cli {

/// The night as a run of the check has it.
reports::Run run_of(const NightRecords &night);

/// With a `baseline`, what changed since that is in it. Throws jit::BadRequest where the files cannot be written.
void write_night_report(const std::filesystem::path &folder, const NightRecords &night,
                        const reports::Run *baseline = nullptr);

} // namespace assay::cli
