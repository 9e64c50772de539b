#pragma once
// The options of the commands around nights.

#include "cli/night/bisect_command.hpp"
#include "cli/night/merge_command.hpp"
#include "cli/night/nightly_command.hpp"
#include "cli/night/replay_case.hpp"

#include <CLI/CLI.hpp>
#include <functional>

namespace assay::cli {

/// The options of the command line.
struct NightWords {
  NightlyArguments nightly;
  std::string cases, budget, shard = "1/1", project;
  unsigned level = 2;
  unsigned case_seconds = 600;
  std::string history;
  unsigned nights_kept = 5;
  MergeArguments merge;
  std::string first, second; ///< Folders that are compared.
  ReplayArguments replay;
  BisectArguments bisect;
  std::string emit, other_project, report_folder, baseline;
};

/// `I/N` with I from 1 to N. Throws jit::BadRequest.
Shard parse_shard(const std::string &text);

void add_nightly(CLI::App &app, NightWords &words, std::function<ExitCode()> &action);
void add_merge(CLI::App &app, NightWords &words, std::function<ExitCode()> &action);
void add_diff(CLI::App &app, NightWords &words, std::function<ExitCode()> &action);
void add_replay(CLI::App &app, NightWords &words, std::function<ExitCode()> &action);
void add_bisect(CLI::App &app, NightWords &words, std::function<ExitCode()> &action);
void add_report(CLI::App &app, NightWords &words, std::function<ExitCode()> &action);

} // namespace assay::cli
