#include "cli/night/replay_record.hpp"

#include "cli/check_function.hpp"
#include "cli/check_output.hpp"
#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/night/links.hpp"
#include "cli/recorded_options.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/grouping.hpp"
#include "reports/write_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

reports::Record record_in(const std::filesystem::path &folder, std::size_t number) {
  reports::Run run;
  try {
    run = reports::read_report(folder);
  } catch (const std::runtime_error &error) {
    throw jit::BadRequest(error.what());
  }
  if (number == 0 || number > run.records.size())
    throw jit::BadRequest(fmt::format("{} holds the records 1 to {}", folder.string(), run.records.size()));
  if (run.records[number - 1].file.empty() || !run.records[number - 1].test.empty())
    throw jit::BadRequest(
        fmt::format("record {} is of a compiled test; repeat it with {}", number, run.records[number - 1].replay));
  return run.records[number - 1];
}

/// Failures that were expected when it was recorded are.
void judge_as_recorded(reports::Record &record, const reports::Record &recorded) {
  if (record.outcome != reports::Outcome::failed)
    return;
  if (recorded.expected_failure)
    record.outcome = reports::Outcome::passed;
  else if (!recorded.known_failure.empty())
    record.outcome = reports::Outcome::undecided;
  record.expected_failure = recorded.expected_failure;
  record.known_failure = recorded.known_failure;
}

NightHead head_of(const reports::Record &record) {
  NightHead head;
  head.provenance = record.provenance;
  return head;
}

LoggedCase case_of(std::vector<reports::Record> records) {
  LoggedCase logged;
  logged.records = std::move(records);
  return logged;
}

} // namespace

RecordReplay::RecordReplay(const std::filesystem::path &folder, std::size_t number, const std::string &program,
                           std::optional<std::filesystem::path> project)
    : recorded_(record_in(folder, number)), program_(program), project_(std::move(project)) {}

/// The paths of a record, those of its flags as well, are meant from the folder in which it was made.
void RecordReplay::enter_directory() const {
  std::error_code error;
  const fs::path recorded = recorded_directory(recorded_.options);
  if (project_)
    fs::current_path(*project_, error);
  else if (!recorded.empty() && fs::exists(recorded / recorded_.file, error))
    fs::current_path(recorded, error);
  if (error)
    throw jit::BadRequest(fmt::format("there is no folder {}", project_.value_or(recorded).string()));
  if (!fs::exists(recorded_.file, error))
    throw jit::BadRequest(fmt::format("{} is not in {}{}; say with --project DIR where it is now", recorded_.file,
                                      fs::current_path().string(),
                                      recorded.empty() || project_ ? "" : " nor in " + recorded.string()));
}

void RecordReplay::check(Console &console) {
  enter_directory();
  static_cast<void>(load_functions(arguments_of(recorded_, program_), console, files_, functions_));
  CheckListener listener;
  listener.started = [&](const std::string &what) { console.status(fmt::format("{}: {}", recorded_.function, what)); };
  listener.decided = [](const reports::Record &) {};
  listener.counted = [](std::size_t) {};
  records_ = check_function(function().request, *function().file, listener);
  const std::string combination = reports::combination_text(recorded_);
  std::erase_if(records_, [&](const reports::Record &record) {
    // Where the function itself has no answer now, there is nothing else to see.
    return reports::combination_text(record) != combination && !record.activities.empty();
  });
  for (reports::Record &record : records_)
    judge_as_recorded(record, recorded_);
}

void RecordReplay::compare(Console &console) {
  const std::string link = first_changed_link(case_of({recorded_}), case_of(records_));
  is_as_recorded_ = link.empty();
  if (is_as_recorded_)
    return console.line("bit for bit as recorded: inputs, IR, gradients and verdict");
  const std::string places =
      records_.empty() ? "" : difference_of_places(head_of(recorded_), head_of(records_.front()));
  console.line(fmt::format("not as recorded: {}{}{}", link, places.empty() ? "" : ": ", places));
}

void RecordReplay::run(Console &console) {
  check(console);
  if (interruption())
    return;
  if (!records_.empty())
    show(console, function(), CheckedFunction{records_, records_.size(), {}}, Verbosity::usual);
  compare(console);
}

} // namespace assay::cli
