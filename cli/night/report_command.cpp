#include "cli/night/report_command.hpp"

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/night/report.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/baseline.hpp"
#include "reports/write_report.hpp"

#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace assay::cli {

namespace {

reports::Run run_in(const std::filesystem::path &folder) {
  return is_night(folder) ? run_of(read_night(folder)) : reports::read_report(folder);
}

void show_changes(Console &console, const std::vector<reports::Change> &changes) {
  std::map<reports::Change::Kind, std::size_t> counts;
  for (const reports::Change &change : changes)
    ++counts[change.kind];
  std::string text;
  for (const auto &[kind, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(kind));
  console.line("since the baseline: " + (text.empty() ? "nothing changed" : text));
}

} // namespace

ExitCode run_report(const std::filesystem::path &folder, const std::optional<std::filesystem::path> &baseline,
                    const std::optional<std::filesystem::path> &history) {
  try {
    const reports::Run run = run_in(folder);
    const auto before = baseline ? std::optional(run_in(*baseline)) : std::nullopt;
    if (is_night(folder))
      write_night_report(folder, read_night(folder),
                         {before ? &*before : nullptr, history.value_or(folder / "history.sqlite")});
    else
      reports::write_report(folder, run, before ? &*before : nullptr);
    Console console;
    if (before)
      show_changes(console, reports::changes_since(*before, run));
    console.line(fmt::format("report: {}", (folder / "index.html").string()));
    const reports::Totals totals = reports::totals_of(run.records);
    console.line(reports::closing_line(totals));
    Verdicts verdicts;
    for (const reports::Record &record : run.records)
      if (record.outcome == reports::Outcome::failed)
        verdicts.add(record);
    return verdicts.told();
  } catch (const jit::BadRequest &) {
    throw;
  } catch (const std::runtime_error &error) {
    throw jit::BadRequest(error.what());
  }
}

} // namespace assay::cli
