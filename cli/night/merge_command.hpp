#pragma once
// `assay merge`: the shards of a night as one night. Its records are in the order of the plan, so they do not depend on
// how many shards there were, or on which of them was first.

#include "cli/check_command.hpp"
#include "cli/night/log.hpp"

namespace assay::cli {

struct MergeArguments {
  std::filesystem::path report;
  std::vector<std::filesystem::path> shards;
  std::optional<std::filesystem::path> history; ///< Absent: history.sqlite in the report.
  unsigned nights_kept = 5;
  std::string command_line;
};

/// Throws jit::BadRequest where they are not the shards of one night that has ended.
ExitCode run_merge(const MergeArguments &arguments);

} // namespace assay::cli
