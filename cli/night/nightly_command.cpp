// The parent takes cases in the order of the plan and hands each to a child; what the child says is logged as a whole
// when it has ended. A child that dies or does not end costs its own case.

#include "cli/night/nightly_command.hpp"

#include "cli/console.hpp"
#include "cli/interruption.hpp"
#include "cli/night/case_process.hpp"
#include "cli/night/finish.hpp"
#include "cli/night/history.hpp"
#include "cli/night/settings.hpp"
#include "cli/project_file.hpp"
#include "cli/provenance.hpp"
#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <set>

namespace assay::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t failures_in_full = 5;

std::string new_name() {
  std::random_device device;
  constexpr unsigned bits = 32;
  return fmt::format("{:016x}", (std::uint64_t(device()) << bits) | device());
}

/// Of a file that cannot be read the reason stands for it.
std::string digest_of_source(const ProjectFunction &function) {
  const FunctionToCheck *to_check = function.to_check;
  return to_check ? digest_of_ir(*to_check->file, to_check->request.function) : digest_of(function.refusal);
}

NightHead head_of(const NightlyArguments &arguments, const NightProject &project) {
  NightHead head;
  head.id = new_name();
  head.plan.seed = arguments.seed;
  head.plan.shard = arguments.shard;
  head.plan.cases = arguments.cases;
  head.plan.listed = arguments.listed;
  if (arguments.budget)
    head.plan.budget_seconds = arguments.budget->count();
  for (const auto &[name, function] : project.functions())
    head.plan.functions.push_back(name);
  head.project = project.name();
  if (arguments.project)
    head.folder = std::filesystem::absolute(*arguments.project).lexically_normal().string();
  head.checks = text_of(arguments.check);
  for (const auto &[name, function] : project.functions())
    head.sources[name] = digest_of_source(function);
  head.provenance = provenance_here(arguments.check.level);
  head.libm = libm_digests();
  head.command = arguments.command_line;
  return head;
}

/// The first setting in which the request differs from that of the folder; empty: none.
std::string difference(const NightHead &before, const NightHead &now) {
  const NightPlan &old = before.plan, &plan = now.plan;
  if (old.seed != plan.seed)
    return fmt::format("seed {}", old.seed);
  if (old.shard != plan.shard)
    return fmt::format("shard {}/{}", old.shard.number, old.shard.count);
  if (old.cases != plan.cases || old.listed != plan.listed || old.budget_seconds != plan.budget_seconds)
    return "another number of cases or another budget";
  if (before.project != now.project || old.functions != plan.functions)
    return fmt::format("other functions, of {}", before.project.empty() ? "the shipped examples" : before.project);
  if (before.checks != now.checks)
    return fmt::format("other options of the checks: {}", before.checks);
  if (before.provenance.assay != now.provenance.assay || before.provenance.llvm != now.provenance.llvm)
    return fmt::format("Assay {} and LLVM {}", before.provenance.assay, before.provenance.llvm);
  if (before.libm != now.libm)
    return "another mathematical library";
  return {};
}

class Night {
public:
  Night(const NightlyArguments &arguments, const NightProject &project, NightLog &log)
      : arguments_(arguments), trial_{project, arguments.check}, log_(log) {
    const NightHead head = head_of(arguments, project);
    if (holds_night(arguments.report))
      go_on(head);
    else
      begin(head);
  }

  ExitCode run() {
    run_pool(
        arguments_.jobs, [this] { return next_work(); }, [] { return interruption().has_value(); },
        arguments_.case_limit, arguments_.check.limits);
    if (interruption()) {
      console_.line("interrupted; the same command goes on");
      show_night(console_, arguments_.report, night_, history_file());
      return code_of_interruption();
    }
    if (!night_.is_complete)
      log_.end(totals_of(night_), night_.cases.size());
    night_.is_complete = true;
    return finish_night(console_, arguments_.report, night_, history_options());
  }

private:
  void begin(const NightHead &head) {
    night_.head = head;
    night_.head.plan.known = known_failures(head);
    log_.begin(night_.head);
  }

  std::filesystem::path history_file() const {
    return arguments_.history.value_or(arguments_.report / "history.sqlite");
  }

  /// Those that can still be run. A list of cases is repeated as it is.
  std::vector<std::string> known_failures(const NightHead &head) const {
    if (!arguments_.listed.empty() || !std::filesystem::exists(history_file()))
      return {};
    std::vector<std::string> known = History(history_file()).failures(head.project);
    std::erase_if(known, [&](const std::string &id) {
      const std::optional<NightCase> known_case = case_from_id(id);
      const auto *of_project = known_case ? std::get_if<ProjectCase>(&known_case->what) : nullptr;
      return !known_case || (of_project && !trial_.project.functions().contains(of_project->function));
    });
    return known;
  }

  /// The shards of a night change it together, when they are merged.
  HistoryOptions history_options() const {
    using Changes = HistoryOptions::Changes;
    return {history_file(), arguments_.nights_kept,
            night_.head.plan.shard.count == 1 ? Changes::by_this_night : Changes::when_shards_are_merged};
  }

  void go_on(const NightHead &head) {
    night_ = read_night(arguments_.report);
    if (const std::string other = difference(night_.head, head); !other.empty())
      throw jit::BadRequest(fmt::format("{} holds a night with {}; name another folder, or repeat its command: {}",
                                        arguments_.report.string(), other, night_.head.command));
    if (const std::string changed = changed_sources(night_.head, head); !changed.empty())
      throw jit::BadRequest(fmt::format("the sources changed since the night in {} began: {}; name another folder",
                                        arguments_.report.string(), changed));
    log_.go_on(night_);
    for (const LoggedCase &logged : night_.cases) {
      done_.insert(logged.index);
      elapsed_before_ = std::max(elapsed_before_, logged.elapsed);
    }
    if (!night_.is_complete)
      console_.line(fmt::format("going on behind {} cases", night_.cases.size()));
  }

  double elapsed() const { return elapsed_before_ + std::chrono::duration<double>(Clock::now() - begin_).count(); }

  /// Cases before one that is done are run whatever the time: what a budget covers has no holes.
  bool is_time_for(std::size_t index) const {
    const bool is_hole = !done_.empty() && index < *done_.rbegin();
    return is_hole || !night_.head.plan.budget_seconds || elapsed() < *night_.head.plan.budget_seconds;
  }

  std::optional<PooledWork> next_work() {
    const NightPlan &plan = night_.head.plan;
    while (!plan.is_of_this_shard(next_) || done_.contains(next_))
      ++next_;
    if (night_.is_complete || (plan.size() && next_ >= *plan.size()) || !is_time_for(next_))
      return std::nullopt;
    const std::size_t index = next_++;
    return work_for(trial_, index, case_at(plan, index), [this](LoggedCase logged) { finish(std::move(logged)); });
  }

  void finish(LoggedCase logged) {
    for (reports::Record &record : logged.records)
      if (record.replay.empty())
        record.replay =
            fmt::format("{} replay '{}' --report {}", arguments_.check.program, logged.id, arguments_.report.string());
    logged.elapsed = elapsed();
    log_.add(logged);
    if (outcome_of(logged) == reports::Outcome::failed)
      show_failure(logged);
    night_.cases.push_back(std::move(logged));
    console_.status(fmt::format("{} cases, {} failed, {:.0f} s", night_.cases.size(), failed_, elapsed()));
  }

  void show_failure(const LoggedCase &logged) {
    const bool is_known = subjects_of(night_.head.plan.known).contains(subject_of(logged.id));
    console_.line(fmt::format("{} {}: {}", is_known ? "known" : "new", console_.bad(verdict_of(logged)), logged.id));
    if (failed_++ < failures_in_full)
      console_.line(std::ranges::find(logged.records, reports::Outcome::failed, &reports::Record::outcome)->message);
  }

  const NightlyArguments &arguments_;
  NightTrial trial_;
  NightLog &log_;
  NightRecords night_;
  Console console_;
  std::set<std::size_t> done_; ///< Indices, before this process began.
  std::size_t next_ = 0, failed_ = 0;
  double elapsed_before_ = 0;
  Clock::time_point begin_ = Clock::now();
};

NightProject load_project(const NightlyArguments &arguments) {
  Console console;
  return arguments.project ? NightProject(*arguments.project, arguments.check, console)
                           : NightProject(arguments.check, console);
}

/// What a project with an assay.toml makes of relative paths must not move the report.
NightlyArguments with_whole_paths(NightlyArguments arguments) {
  if (!arguments.project || !project_in(*arguments.project))
    return arguments;
  arguments.project = std::filesystem::absolute(*arguments.project);
  arguments.report = std::filesystem::absolute(arguments.report);
  if (arguments.history)
    arguments.history = std::filesystem::absolute(*arguments.history);
  return arguments;
}

} // namespace

ExitCode run_nightly(const NightlyArguments &given) {
  const NightlyArguments arguments = with_whole_paths(given);
  const NightProject project = load_project(arguments);
  if (arguments.history) // What cannot be used must not cost a night.
    static_cast<void>(History(*arguments.history));
  NightLog log(arguments.report);
  return Night(arguments, project, log).run();
}

} // namespace assay::cli
