#pragma once
// `assay nightly`: many cases, each in a process of its own, their records on disk as they come.

#include "cli/check_command.hpp"
#include "cli/night/plan.hpp"

#include <chrono>

namespace assay::cli {

struct NightlyArguments {
  std::uint64_t seed = 1;
  Shard shard;
  std::optional<std::size_t> cases;
  std::vector<std::string> listed; ///< Names of cases, in place of those that the seed gives.
  std::optional<std::chrono::duration<double>> budget;
  std::optional<std::filesystem::path> project; ///< Absent: the shipped examples.
  std::filesystem::path report;
  CheckSettings check;
  std::chrono::seconds case_limit{600};
  unsigned jobs = 1;
  std::optional<std::filesystem::path> history; ///< Absent: history.sqlite in the report.
  unsigned nights_kept = 5;
  std::string command_line;
};

/// Throws jit::BadRequest where nothing could be checked.
ExitCode run_nightly(const NightlyArguments &given);

} // namespace assay::cli
