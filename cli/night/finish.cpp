#include "cli/night/finish.hpp"

#include "cli/interruption.hpp"
#include "cli/night/history.hpp"
#include "cli/night/report.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay::cli {

reports::Totals totals_of(const NightRecords &night) {
  reports::Totals totals;
  for (const LoggedCase &logged : night.cases) {
    const reports::Totals some = reports::totals_of(logged.records);
    totals.checked += some.checked;
    totals.passed += some.passed;
    totals.failed += some.failed;
    totals.undecided += some.undecided;
  }
  return totals;
}

void show_night(Console &console, const std::filesystem::path &folder, const NightRecords &night,
                const std::filesystem::path &history) {
  write_night_report(folder, night, {nullptr, history});
  const std::set<std::string> known = subjects_of(night.head.plan.known);
  std::size_t new_failures = 0, known_failures = 0;
  double seconds = 0;
  for (const LoggedCase &logged : night.cases) {
    seconds = std::max(seconds, logged.elapsed);
    if (outcome_of(logged) == reports::Outcome::failed)
      ++(known.contains(subject_of(logged.id)) ? known_failures : new_failures);
  }
  console.line(fmt::format("{} cases in {:.0f} s; {} failed, {} of them new; digest {}", night.cases.size(), seconds,
                           new_failures + known_failures, new_failures, digest_of(night.cases)));
  console.line(fmt::format("report: {}", (folder / "index.html").string()));
  console.line(reports::closing_line(totals_of(night)));
}

void add_failures(const LoggedCase &logged, Verdicts &verdicts) {
  for (const reports::Record &record : logged.records)
    if (record.outcome == reports::Outcome::failed)
      verdicts.add(record);
}

ExitCode code_of_interruption() {
  constexpr int ended_by_signal = 128;
  return static_cast<ExitCode>(ended_by_signal + interruption().value_or(0));
}

ExitCode finish_night(Console &console, const std::filesystem::path &folder, const NightRecords &night,
                      const HistoryOptions &history) {
  if (history.changes == HistoryOptions::Changes::by_this_night)
    History(history.file).take(night, history.nights_kept);
  show_night(console, folder, night, history.file);
  Verdicts verdicts;
  for (const LoggedCase &logged : night.cases)
    add_failures(logged, verdicts);
  return verdicts.told();
}

} // namespace assay::cli
