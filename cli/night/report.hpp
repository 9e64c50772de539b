#pragma once
// The files beside the records of a night.

#include "cli/night/log.hpp"

namespace assay::cli {

/// The night as a run of the check has it.
reports::Run run_of(const NightRecords &night);

struct BesideTheNight {
  const reports::Run *baseline = nullptr; ///< The changes since that are in the report.
  std::filesystem::path history;          ///< Earlier nights are in the page; empty, or no file: none.
};

/// Throws jit::BadRequest where the files cannot be written.
void write_night_report(const std::filesystem::path &folder, const NightRecords &night, const BesideTheNight &beside);

} // namespace assay::cli
