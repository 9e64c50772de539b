#include "cli/night/options.hpp"

#include "cli/night/diff_command.hpp"
#include "cli/night/report_command.hpp"
#include "cli/shared_options.hpp"
#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>

namespace assay::cli {

namespace {

using Seconds = std::chrono::duration<double>;

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

/// `90`, `90s`, `30m`, `8h`
Seconds parse_budget(const std::string &text) {
  constexpr double minute = 60, hour = 3600, most = 366 * 24 * hour;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" ? minute : unit == "h" ? hour : 0;
  if (error != std::errc() || !(number > 0) || scale == 0 || number * scale > most)
    throw jit::BadRequest(fmt::format("--budget: '{}' is no time above 0, such as 90s, 30m or 8h", text));
  return Seconds(number * scale);
}

std::vector<std::string> read_cases(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw jit::BadRequest(fmt::format(
        "--cases: '{}' is neither a number nor a file with a case in each line, as cases.txt of a report", path));
  std::vector<std::string> cases;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line.starts_with('#'))
      continue;
    if (!case_from_id(line))
      throw jit::BadRequest(fmt::format("--cases: {}:{}: '{}' names no case", path, number, line));
    cases.push_back(line);
  }
  if (cases.empty())
    throw jit::BadRequest(fmt::format("--cases: {} names no case", path));
  return cases;
}

void read_nightly(NightWords &words) {
  constexpr std::size_t most_cases = 4'000'000'000;
  NightlyArguments &nightly = words.nightly;
  if (words.cases.empty() == words.budget.empty())
    throw jit::BadRequest("say how long the night is: either --budget 30m or --cases N");
  if (!words.budget.empty())
    nightly.budget = parse_budget(words.budget);
  if (!words.cases.empty()) {
    nightly.cases = number_in(words.cases);
    if (!nightly.cases)
      nightly.listed = read_cases(words.cases);
    else if (*nightly.cases == 0 || *nightly.cases > most_cases)
      throw jit::BadRequest(fmt::format("--cases: {} is not from 1 to {}", *nightly.cases, most_cases));
  }
  nightly.shard = parse_shard(words.shard);
  if (!words.project.empty())
    nightly.project = words.project;
  if (!words.history.empty())
    nightly.history = words.history;
  nightly.nights_kept = words.nights_kept;
  nightly.case_limit = std::chrono::seconds(words.case_seconds);
  nightly.check.level = static_cast<jit::OptimizationLevel>(words.level);
}

void add_history(CLI::App &command, NightWords &words) {
  command.add_option("--history", words.history,
                     "Database of the failures of earlier nights, which come first; without it history.sqlite in the "
                     "report");
  add_number(command, "--keep", words.nights_kept, "A failure is forgotten when it has passed so many nights", 1,
             10000);
}

} // namespace

Shard parse_shard(const std::string &text) {
  const std::size_t slash = text.find('/');
  const auto number = number_in(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count)
    throw jit::BadRequest(fmt::format("--shard: '{}' is not I/N with I from 1 to N", text));
  return {*number, *count};
}

void add_nightly(CLI::App &app, NightWords &words, std::function<ExitCode()> &action) {
  NightlyArguments &nightly = words.nightly;
  CLI::App *command =
      app.add_subcommand("nightly", "Check a project, random functions and random programs for a given time");
  command->footer(
      "The same command again goes on with a night that was ended early.\n\n"
      "Exit codes: 0 all passed, 1 a gradient is wrong, 2 the request is unusable, 130 and 143 interrupted.");
  command->add_option("PROJECT", words.project,
                      "Folder whose sources mark functions with ASSAY_CHECK; without it the shipped examples");
  add_seed(*command, nightly.seed, "Seed of all cases");
  command->add_option("--budget", words.budget, "How long new cases are begun: 90s, 30m, 8h");
  command->add_option("--cases", words.cases, "How many cases, or a file that lists them: cases.txt of a report");
  command->add_option("--shard", words.shard, "I/N: every N-th case, from the I-th")->capture_default_str();
  command->add_option("--report", nightly.report, "Folder for the records and the report")->required();
  add_number(*command, "--case-seconds", words.case_seconds, "A case that takes longer is given up: no answer", 1,
             86400);
  command
      ->add_option("--combinations", nightly.check.budget,
                   "At most so many combinations of each function of the project, drawn with the seed; 0: all")
      ->capture_default_str();
  add_samples(*command, nightly.check.samples, "Random points for each combination of the project's functions");
  add_tolerances(*command, nightly.check);
  add_limits(*command, nightly.check);
  add_jobs(*command, nightly.jobs, "Cases at once");
  add_level(*command, words.level);
  add_history(*command, words);
  command->callback([&words, &action, command] {
    action = [&words, command] {
      if (command->count("--samples") != 0)
        words.nightly.check.samples_chosen = Chosen::by_user;
      if (command->count("--combinations") != 0)
        words.nightly.check.budget_chosen = Chosen::by_user;
      read_nightly(words);
      return run_nightly(words.nightly);
    };
  });
}

void add_merge(CLI::App &app, NightWords &words, std::function<ExitCode()> &action) {
  CLI::App *command = app.add_subcommand("merge", "Join the shards of a night");
  command->add_option("SHARD_DIR", words.merge.shards, "Report of each shard")->required();
  command->add_option("--report", words.merge.report, "Folder for the whole night")->required();
  add_history(*command, words);
  command->callback([&words, &action] {
    action = [&words] {
      if (!words.history.empty())
        words.merge.history = words.history;
      words.merge.nights_kept = words.nights_kept;
      words.merge.command_line = words.nightly.command_line;
      return run_merge(words.merge);
    };
  });
}

void add_diff(CLI::App &app, NightWords &words, std::function<ExitCode()> &action) {
  CLI::App *command = app.add_subcommand("diff", "Compare two nights or two checks: cases, digests and verdicts");
  command->footer("Exit codes: 0 the same, 1 not the same, 2 the request is unusable.");
  command->add_option("DIR_A", words.first, "Report of a night or a check")->required();
  command->add_option("DIR_B", words.second, "Report of another")->required();
  command->callback([&words, &action] { action = [&words] { return run_diff(words.first, words.second); }; });
}

void add_replay(CLI::App &app, NightWords &words, std::function<ExitCode()> &action) {
  ReplayArguments &replay = words.replay;
  replay.report = "assay-report";
  CLI::App *command = app.add_subcommand("replay", "Repeat one record of a report, or one case of a night bit for bit");
  command->add_option("ID", replay.id, "Number of the record, from 1, as the page shows it, or the name of a case")
      ->required();
  command->add_option("--report", replay.report, "Folder of the report")->capture_default_str();
  command->add_option("--project", words.other_project,
                      "Where the project of the night, or the folder of the check, is now");
  command->add_option("--emit", words.emit, "Folder for the case's code: source, LLVM IR and assembly");
  command->add_flag("--debug", replay.is_debugged, "Start gdb, or lldb, at the derivatives of the case's program");
  command->add_flag("--asan", replay.is_sanitized,
                    "Run the case's program with AddressSanitizer and UndefinedBehaviorSanitizer");
  command->callback([&words, &action] {
    action = [&words] {
      words.replay.program = words.nightly.check.program;
      if (!words.emit.empty())
        words.replay.emit = words.emit;
      if (!words.other_project.empty())
        words.replay.project = words.other_project;
      return run_replay(words.replay);
    };
  });
}

void add_bisect(CLI::App &app, NightWords &words, std::function<ExitCode()> &action) {
  BisectArguments &bisect = words.bisect;
  bisect.report = "assay-report";
  CLI::App *command = app.add_subcommand("bisect", "Find the commit of a project at which a case began to fail");
  command->add_option("ID", bisect.id, "Name of the case, such as check/dot.c:dot@1")->required();
  command->add_option("--good", bisect.good, "Commit at which it passes")->required();
  command->add_option("--bad", bisect.bad, "Commit at which it fails")->capture_default_str();
  command->add_option("--report", bisect.report, "Folder of the night that found it")->capture_default_str();
  command->add_option("--project", words.other_project, "Where the project is now");
  command->add_option(
      "--prepare", bisect.prepare,
      "Shell command to run in the project's folder of each commit first, such as 'cmake -S . -B build'");
  command->callback([&words, &action] {
    action = [&words] {
      words.bisect.program = words.nightly.check.program;
      if (!words.other_project.empty())
        words.bisect.project = words.other_project;
      return run_bisect(words.bisect);
    };
  });
}

void add_report(CLI::App &app, NightWords &words, std::function<ExitCode()> &action) {
  CLI::App *command = app.add_subcommand("report", "Write the files of a report again from its records");
  command->add_option("DIR", words.report_folder, "Folder with records.jsonl")->required();
  command->add_option("--baseline", words.baseline, "Folder of an earlier report: what changed since is in the files");
  command->add_option("--history", words.history,
                      "Database of failures of a night, for how earlier nights went; without it history.sqlite in DIR");
  command->callback([&words, &action] {
    action = [&words] {
      const auto path = [](const std::string &word) {
        return word.empty() ? std::nullopt : std::optional<std::filesystem::path>(word);
      };
      return run_report(words.report_folder, path(words.baseline), path(words.history));
    };
  });
}

} // namespace assay::cli
