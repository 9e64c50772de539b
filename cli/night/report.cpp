#include "cli/night/report.hpp"

#include "cli/night/history.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/junit.hpp"
#include "reports/markdown.hpp"
#include "reports/report_page.hpp"
#include "reports/sarif.hpp"
#include "reports/write_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace assay::cli {

namespace {

/// One name a line, in the order of the plan: what `--cases FILE` takes.
std::string list_of_cases(const NightRecords &night) {
  std::vector<const LoggedCase *> cases;
  for (const LoggedCase &logged : night.cases)
    cases.push_back(&logged);
  std::ranges::sort(cases, {}, &LoggedCase::index);
  std::string text;
  for (const LoggedCase *logged : cases)
    text += logged->id + "\n";
  return text;
}

std::set<std::string> known_cases(const NightRecords &night) {
  const std::set<std::string> known = subjects_of(night.head.plan.known);
  std::set<std::string> cases;
  for (const LoggedCase &logged : night.cases)
    if (known.contains(subject_of(logged.id)))
      cases.insert(logged.id);
  return cases;
}

std::vector<std::pair<std::string, std::string>> facts_of(const NightRecords &night, const reports::Run &run) {
  return {{"Command", run.command},
          {"Seed", std::to_string(run.seed)},
          {"Cases", fmt::format("{}{}", night.cases.size(), night.is_complete ? "" : ", not all of the night")},
          {"Environment", run.environment},
          {"Duration", fmt::format("{:.0f} s", run.seconds)},
          {"Digest", digest_of(night.cases)}};
}

constexpr std::size_t nights_shown = 30;

std::optional<reports::PastNights> past_of(const NightRecords &night, const std::filesystem::path &history) {
  if (history.empty() || !std::filesystem::exists(history))
    return std::nullopt;
  std::vector<std::string> cases;
  for (const LoggedCase &logged : night.cases)
    cases.push_back(logged.id);
  return History(history).past(night.head.project, cases, nights_shown);
}

} // namespace

reports::Run run_of(const NightRecords &night) {
  reports::Run run;
  const reports::Provenance &here = night.head.provenance;
  run.command = night.head.command;
  run.seed = night.head.plan.seed;
  run.environment = fmt::format("Assay {}, LLVM {}, {}, {}", here.assay, here.llvm, here.cpu, here.flags);
  for (const LoggedCase &logged : night.cases) {
    run.seconds = std::max(run.seconds, logged.elapsed);
    run.records.insert(run.records.end(), logged.records.begin(), logged.records.end());
  }
  if (!night.is_complete)
    run.notes.emplace_back("the night has not come to its end; the same command goes on");
  return run;
}

void write_night_report(const std::filesystem::path &folder, const NightRecords &night, const BesideTheNight &beside) {
  try {
    const reports::Run run = run_of(night);
    const auto changes = beside.baseline ? std::optional(reports::changes_since(*beside.baseline, run)) : std::nullopt;
    reports::write_whole_file(folder / "cases.txt", list_of_cases(night));
    reports::write_whole_file(folder / "junit.xml", reports::to_junit_xml(run));
    reports::write_whole_file(folder / "report.md", reports::to_markdown(run, changes));
    reports::write_whole_file(folder / "report.sarif", reports::to_sarif(run, changes));
    reports::write_whole_file(
        folder / "index.html",
        reports::report_page({run, changes, known_cases(night), facts_of(night, run), past_of(night, beside.history)}));
  } catch (const std::runtime_error &error) {
    throw jit::BadRequest(error.what());
  }
}

} // namespace assay::cli
