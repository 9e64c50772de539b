#include "cli/check_command.hpp"

#include "cli/check_function.hpp"
#include "cli/console.hpp"
#include "cli/convert_record.hpp"
#include "cli/load_functions.hpp"
#include "cli/parallel_check.hpp"
#include "cli/planted_failure.hpp"
#include "cli/reproducer.hpp"
#include "cli/shapes.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/shared_memory.hpp"
#include "reports/grouping.hpp"
#include "reports/write_report.hpp"
#include <algorithm>
#include <assay/testing/record.hpp>
#include <chrono>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <llvm/Config/llvm-config.h>
#include <map>
#include <set>
#include <unistd.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;
using Expectation = jit::CheckMark::Expectation;

bool is_refused(const reports::Record &record) {
  return record.verdict == no_derivative;
}

/// No gradient can be judged where the function does not come to an end.
bool has_endless_function(const reports::Record &record) {
  return record.verdict == testutils::name_of(testutils::Verdict::no_answer) && record.activities.empty();
}

std::string tally(const Console &console, const std::vector<reports::Record> &records) {
  const reports::Totals totals = reports::totals_of(records);
  const auto caught = static_cast<std::size_t>(std::count_if(
      records.begin(), records.end(), [](const reports::Record &record) { return record.expected_failure; }));
  std::string text = console.good(fmt::format("{} passed", totals.passed));
  if (caught)
    text += fmt::format(" ({} wrong as planted, and caught)", caught);
  if (totals.failed)
    text += ", " + console.bad(fmt::format("{} failed", totals.failed));
  if (totals.undecided)
    text += fmt::format(", {} undecided", totals.undecided);
  return text;
}

/// Which oracles decided how many combinations, and why a better one did not.
std::string oracles_of(const std::vector<reports::Record> &records) {
  std::map<std::string, std::size_t> counts;
  std::set<std::string> reasons;
  for (const reports::Record &record : records)
    if (!record.oracle.empty()) {
      ++counts[record.oracle];
      reasons.insert(record.oracle_reasons.begin(), record.oracle_reasons.end());
    }
  std::string text;
  for (const auto &[oracle, count] : counts)
    text += fmt::format("{}{}{}", text.empty() ? "by " : ", ", oracle,
                        counts.size() > 1 ? fmt::format(" ({})", count) : std::string());
  return reasons.empty() ? text : fmt::format("{}: {}", text, fmt::join(reasons, "; "));
}

std::string indented(const std::string &text) {
  std::string result = "    ";
  for (const char c : text)
    result += c == '\n' ? std::string("\n    ") : std::string(1, c);
  return result;
}

/// Many combinations fail for one reason: the first few are shown in full, the others in one line each.
void show_failures(Console &console, const std::vector<reports::Record> &records) {
  constexpr std::size_t shown_in_full = 2;
  std::size_t shown = 0;
  std::set<std::string> reasons;
  for (const reports::Record &record : records) {
    if (record.outcome != reports::Outcome::failed && !record.expected_failure)
      continue;
    if (is_refused(record) && !reasons.insert(record.detail).second)
      continue; // The tally counts it.
    const std::size_t limit = record.expected_failure ? 1 : shown_in_full;
    if (shown++ < limit)
      console.line(indented(record.message));
    else if (!record.expected_failure)
      console.line(indented(fmt::format("{}: {}", record.verdict, reports::combination_text(record))));
  }
}

/// Why the oracle could not tell, once for each reason.
void show_undecided(Console &console, const std::vector<reports::Record> &records) {
  std::set<std::string> reasons;
  for (const reports::Record &record : records)
    if (record.outcome == reports::Outcome::undecided && reasons.insert(record.detail).second)
      console.line(
          indented(fmt::format("{} in {}\n  {}", record.verdict, reports::combination_text(record), record.detail)));
}

/// Of right derivatives that lost digits, how many combinations and the worst words.
void show_lost_digits(Console &console, const std::vector<reports::Record> &records) {
  const auto lost = [](const reports::Record &record) {
    return !record.lost_digits.empty() && record.outcome == reports::Outcome::passed;
  };
  const auto count = std::count_if(records.begin(), records.end(), lost);
  if (count == 0)
    return;
  const auto first = std::find_if(records.begin(), records.end(), lost);
  console.line(fmt::format("    right, with {} in {}{}", first->lost_digits, reports::combination_text(*first),
                           count > 1 ? fmt::format(", and {} more", count - 1) : ""));
}

/// What is no fault and worth knowing, and what the run could not show, each once.
void show_limits(Console &console, const std::vector<reports::Record> &records) {
  std::set<std::string> notes;
  std::vector<std::string> not_seen;
  for (const reports::Record &record : records) {
    for (const std::string &note : record.notes)
      if (notes.insert(note).second)
        console.line("    note: " + note);
    if (!record.not_seen.empty()) // The last one knows what the others came to see.
      not_seen = record.not_seen;
  }
  if (!not_seen.empty())
    console.line(fmt::format("    not seen: {}", fmt::join(not_seen, "; ")));
}

/// A function may change nothing where its output is its input.
bool has_nothing_when_shared(const FunctionToCheck &function, const std::vector<reports::Record> &records) {
  return records.empty() && std::ranges::any_of(function.request.arguments,
                                                [](const jit::ArgumentSpec &spec) { return spec.alias.has_value(); });
}

void require_some(const FunctionToCheck &function, const std::vector<reports::Record> &records) {
  if (records.empty() && !has_nothing_when_shared(function, records))
    throw jit::BadRequest(
        fmt::format("{} computes nothing that has a derivative: it returns no floating-point number and changes none",
                    function.request.function.name));
}

CheckedFunction check(Console &console, const FunctionToCheck &function, const std::string &place) {
  const std::string &name = function.request.function.name;
  std::size_t decided = 0;
  CheckListener listener;
  listener.started = [&](const std::string &what) {
    console.status(fmt::format("{} {}: {} checked, now {}", place, name, decided, what));
  };
  CheckedFunction checked;
  listener.decided = [&](const reports::Record &) { ++decided; };
  listener.counted = [&](std::size_t count) { checked.possible = count; };
  checked.records = check_function(function.request, *function.file, listener);
  return checked;
}

/// With the parameters that share memory.
std::string title_of(const CheckRequest &request) {
  const std::string aliases = jit::describe_aliases(request.function, request.arguments);
  return aliases.empty() ? request.function.name : fmt::format("{} ({})", request.function.name, aliases);
}

/// Those that --rule asked for.
void show_rules(Console &console, const FunctionToCheck &function) {
  const std::vector<std::string> &asked = function.request.asked_tables;
  if (asked.empty())
    return;
  for (const jit::RegisteredRule &rule :
       jit::registered_rules(function.file->module(), function.request.function.linkage_name))
    if (rule.is_reached && std::ranges::find(asked, rule.symbol) != asked.end())
      console.line("    rule " + jit::describe(rule));
}

void show(Console &console, const FunctionToCheck &function, const CheckedFunction &checked) {
  const std::vector<reports::Record> &records = checked.records;
  if (has_nothing_when_shared(function, records))
    return console.line(fmt::format("  {:<28}  nothing to check: so it changes no number", title_of(function.request)));
  console.line(fmt::format("  {:<28}  {}", title_of(function.request), tally(console, records)));
  show_rules(console, function);
  if (const std::string oracles = oracles_of(records); !oracles.empty())
    console.line("    " + oracles);
  if (const std::string shapes = describe_shapes(shapes_of(function.request)); !shapes.empty())
    console.line("    at " + shapes);
  if (!records.front().effort.empty())
    console.line(fmt::format("    {} (--seconds)", records.front().effort));
  if (function.request.settings.budget != 0 && records.size() < checked.possible)
    console.line(fmt::format("    {} of {} combinations (--budget)", records.size(), checked.possible));
  show_lost_digits(console, records);
  show_failures(console, records);
  show_undecided(console, records);
  show_limits(console, records);
}

/// Where the engine has no derivative for the code, or the function does not come to an end, no gradient was found
/// wrong: the request cannot be served.
ExitCode exit_code(const std::vector<reports::Record> &records) {
  const reports::Record *refused = nullptr, *endless = nullptr;
  for (const reports::Record &record : records) {
    if (has_endless_function(record))
      endless = &record;
    else if (is_refused(record))
      refused = &record;
    else if (record.outcome == reports::Outcome::failed)
      return something_failed;
  }
  if (endless) {
    fmt::print(stderr, "assay: {} cannot be checked: {} gives no answer, {}\n", endless->function, endless->mode,
               endless->detail);
    return unusable_request;
  }
  if (!refused)
    return all_passed;
  fmt::print(stderr, "assay: {} cannot be differentiated: {}\n", refused->function,
             refused->detail.substr(0, refused->detail.find('\n')));
  return unusable_request;
}

/// Before the work is done: a folder that cannot be written must not cost it.
void make_folder(const fs::path &folder, std::string_view option) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0)
    throw jit::BadRequest(
        fmt::format("{}: cannot write into {}{}", option, folder.string(), error ? ": " + error.message() : ""));
}

/// With the integers that were drawn.
CheckRequest at_the_shape(CheckRequest request, const reports::Record &record) {
  for (std::size_t index = 0; index < request.arguments.size(); ++index)
    if (request.arguments[index].file.empty())
      request.arguments[index] = jit::parse_argument_spec(record.argument_specs[index]);
  return request;
}

/// The first failure of each mode.
void write_reproducers(const fs::path &folder, const FunctionToCheck &function, std::vector<reports::Record> &records) {
  std::set<std::string> modes;
  for (reports::Record &record : records)
    if (can_be_reproduced(record) && !is_refused(record) && modes.insert(record.mode).second)
      write_reproducer(folder, at_the_shape(function.request, record), *function.file, record);
}

/// Rules that are there for another checked function of the file are not worth a word.
void note_unused_rules(std::deque<FunctionToCheck> &functions) {
  std::map<const jit::ModuleFile *, std::map<std::string, std::size_t>> users;
  for (const FunctionToCheck &function : functions)
    for (const jit::RegisteredRule &rule :
         jit::registered_rules(function.file->module(), function.request.function.linkage_name))
      users[function.file][jit::describe(rule)] += rule.is_reached ? 1 : 0;
  for (FunctionToCheck &function : functions)
    for (const auto &[rule, count] : users[function.file])
      if (count == 0)
        function.request.unused_rules.push_back(rule);
}

std::string environment() {
  return fmt::format("Assay {}, LLVM {}, {}", ASSAY_VERSION, LLVM_VERSION_STRING, LLVM_HOST_TRIPLE);
}

} // namespace

ExitCode run_check(const CheckArguments &arguments) {
  const auto begin = std::chrono::steady_clock::now();
  Console console;
  std::deque<jit::ModuleFile> files; // A deque keeps the addresses that the functions hold.
  std::deque<FunctionToCheck> functions;
  load_functions(arguments, console, files, functions);
  if (!arguments.rule)
    note_unused_rules(functions);
  if (arguments.report)
    make_folder(*arguments.report, "--report");
  if (arguments.reproducer)
    make_folder(*arguments.reproducer, "--reproducer");

  reports::Run run;
  run.command = arguments.command_line;
  run.seed = arguments.settings.seed;
  run.environment = environment() + fmt::format(", -O{}", static_cast<unsigned>(arguments.settings.level));
  const jit::ModuleFile *shown_file = nullptr;
  const auto finish = [&](std::size_t index, CheckedFunction checked) {
    const FunctionToCheck &function = functions[index];
    require_some(function, checked.records);
    if (function.request.expectation == Expectation::fails)
      judge_planted_failure(checked.records);
    if (arguments.reproducer)
      write_reproducers(*arguments.reproducer, function, checked.records);
    if (!shown_file) // Only now is it certain that there is something to show.
      console.line(fmt::format("{}, seed {}", run.environment, run.seed));
    if (shown_file != function.file)
      console.line(function.file->path().string());
    shown_file = function.file;
    show(console, function, checked);
    std::move(checked.records.begin(), checked.records.end(), std::back_inserter(run.records));
  };
  if (arguments.settings.jobs > 1) {
    check_in_parallel(functions, arguments.settings.jobs,
                      {[&](const std::string &what) { console.status(what); }, finish});
  } else {
    for (std::size_t index = 0; index < functions.size(); ++index)
      finish(index, check(console, functions[index], fmt::format("[{}/{}]", index + 1, functions.size())));
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  if (arguments.report) {
    reports::write_report(*arguments.report, run);
    console.line(fmt::format("report: {}", (*arguments.report / "index.html").string()));
  }
  const reports::Totals totals = reports::totals_of(run.records);
  console.line(reports::closing_line(totals));
  return exit_code(run.records);
}

} // namespace assay::cli
