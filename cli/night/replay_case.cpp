#include "cli/night/replay_case.hpp"

#include "cli/interruption.hpp"
#include "cli/night/case_process.hpp"
#include "cli/night/emission.hpp"
#include "cli/night/finish.hpp"
#include "cli/night/links.hpp"
#include "cli/night/replay_record.hpp"
#include "cli/night/settings.hpp"
#include "cli/night/watched_run.hpp"
#include "cli/provenance.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/scratch_folder.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <functional>

namespace assay::cli {

namespace {

using jit::BadRequest;

std::optional<std::size_t> number_in(const std::string &text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

/// Records are counted from 1, in the order of the file.
std::string case_of_record(const NightRecords &night, std::size_t number) {
  std::size_t before = 0;
  for (const LoggedCase &logged : night.cases) {
    if (number > before && number <= before + logged.records.size())
      return logged.id;
    before += logged.records.size();
  }
  throw BadRequest(fmt::format("the night has the records 1 to {}", before));
}

NightProject project_for(const ReplayArguments &arguments, const NightCase &night_case, const NightHead &head,
                         const CheckSettings &settings) {
  Console console;
  if (!std::holds_alternative<ProjectCase>(night_case.what))
    return {};
  if (arguments.project)
    return {*arguments.project, settings, console};
  if (head.folder.empty())
    return {settings, console};
  if (!std::filesystem::is_directory(head.folder))
    throw BadRequest(fmt::format("the project is not in {} any more; say where it is with --project DIR", head.folder));
  return {head.folder, settings, console};
}

void show(Console &console, const LoggedCase &logged) {
  console.line(logged.id);
  for (const reports::Record &record : logged.records)
    if (record.outcome == reports::Outcome::failed)
      console.line(record.message);
}

/// Whether all links are as the night has them.
bool show_links(Console &console, const NightRecords &night, const LoggedCase &logged, const NightHead &here) {
  const auto before = std::ranges::find(night.cases, logged.id, &LoggedCase::id);
  if (before == night.cases.end()) {
    console.line("this night has no record of the case to compare with");
    return true;
  }
  const std::string link = first_changed_link(*before, logged);
  const std::string places = difference_of_places(night.head, here);
  if (link.empty())
    console.line("bit for bit as recorded: inputs, IR, gradients and verdicts");
  else
    console.line(fmt::format("not as recorded: {}{}{}", link, places.empty() ? "" : ": ", places));
  return link.empty();
}

bool wants_code(const ReplayArguments &arguments) {
  return arguments.emit || arguments.is_debugged || arguments.is_sanitized;
}

/// `write` writes the code of a case into a folder. The result is how much the sanitizers found.
std::size_t use_code(Console &console, const ReplayArguments &arguments,
                     const std::function<Emission(const std::filesystem::path &)> &write) {
  const jit::ScratchFolder scratch;
  const std::filesystem::path folder = arguments.emit.value_or(std::filesystem::path(scratch.file("")).parent_path());
  const Emission emission = write(folder);
  if (arguments.emit)
    for (const std::filesystem::path &file : emission.files)
      console.line(fmt::format("written: {}", file.string()));
  if (emission.programs.empty() && (arguments.is_debugged || arguments.is_sanitized))
    throw BadRequest(fmt::format("{}: there is no program of this case that could be started: its function is not C or "
                                 "C++ or has no name there",
                                 arguments.is_debugged ? "--debug" : "--asan"));
  std::size_t findings = 0;
  if (arguments.is_sanitized)
    for (const EmittedProgram &program : emission.programs)
      findings += run_with_sanitizers(console, program);
  if (arguments.is_debugged)
    debug_program(emission.programs.front());
  return findings;
}

/// A record of `assay check`.
ExitCode replay_checked(const ReplayArguments &arguments, std::size_t number) {
  Console console;
  RecordReplay replay(arguments.report, number, arguments.program, arguments.project);
  replay.run(console);
  if (interruption())
    return code_of_interruption();
  std::size_t findings = 0;
  if (wants_code(arguments))
    findings = use_code(console, arguments, [&](const std::filesystem::path &folder) {
      return emit_function(replay.function(), {replay.recorded()}, folder);
    });
  console.line(reports::closing_line(reports::totals_of(replay.records())));
  if (findings != 0 || !replay.is_as_recorded())
    return something_failed;
  Verdicts verdicts;
  for (const reports::Record &record : replay.records())
    if (record.outcome == reports::Outcome::failed)
      verdicts.add(record);
  return verdicts.told();
}

} // namespace

ExitCode run_replay(const ReplayArguments &given) {
  ReplayArguments arguments = given;
  if (arguments.emit) // The working folder is the project's or the record's later.
    arguments.emit = std::filesystem::absolute(*arguments.emit);
  const std::optional<std::size_t> number = number_in(arguments.id);
  if (number && !is_night(arguments.report))
    return replay_checked(arguments, *number);
  const NightRecords night = read_night(arguments.report);
  const std::string id = number ? case_of_record(night, *number) : arguments.id;
  const std::optional<NightCase> night_case = case_from_id(id);
  if (!night_case)
    throw BadRequest(
        fmt::format("'{}' names no case; names are such as check/dot.c:dot@1, function/smooth/double/17@1 or "
                    "program/17@1, as cases.txt of the report has them",
                    id));
  NightHead here = night.head;
  CheckSettings settings = settings_from(night.head.checks);
  settings.program = arguments.program;
  here.provenance = provenance_here(settings.level);
  here.libm = libm_digests();
  const NightProject project = project_for(arguments, *night_case, night.head, settings);
  const NightTrial trial{project, settings};
  constexpr std::chrono::hours limit(1);
  LoggedCase logged = run_alone(trial, id, limit);
  if (interruption())
    return code_of_interruption();
  Console console;
  show(console, logged);
  const bool is_same = show_links(console, night, logged, here);
  std::size_t findings = 0;
  if (wants_code(arguments))
    findings = use_code(console, arguments, [&](const std::filesystem::path &folder) {
      return emit_case(trial, *night_case, logged.records, folder);
    });
  console.line(reports::closing_line(reports::totals_of(logged.records)));
  if (std::ranges::any_of(logged.records, [](const auto &record) { return record.verdict == cannot_be_checked; }))
    throw BadRequest(fmt::format("{} cannot be checked: {}", id, logged.records.front().detail));
  if (findings != 0 || !is_same)
    return something_failed;
  Verdicts verdicts;
  add_failures(logged, verdicts);
  return verdicts.told();
}

} // namespace assay::cli
