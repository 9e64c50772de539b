#include "cli/check_output.hpp"

#include "cli/convert_record.hpp"
#include "cli/shapes.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/shared_memory.hpp"
#include "reports/grouping.hpp"
#include "reports/write_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace assay::cli {

namespace {

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
    if (record.outcome == reports::Outcome::undecided && record.known_failure.empty() &&
        reasons.insert(record.detail).second)
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
    // The last one knows what the others came to see, perhaps all; one that crashed says nothing.
    if (!record.not_seen.empty() || record.outcome == reports::Outcome::passed)
      not_seen = record.not_seen;
  }
  if (!not_seen.empty())
    console.line(fmt::format("    not seen: {}", fmt::join(not_seen, "; ")));
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

/// One line for each.
void show_combinations(Console &console, const std::vector<reports::Record> &records) {
  for (const reports::Record &record : records)
    console.line(fmt::format("    {:<9} {}{}", reports::name_of(record.outcome), reports::combination_text(record),
                             record.verdict.empty() || record.outcome == reports::Outcome::passed
                                 ? ""
                                 : fmt::format(": {}", record.verdict)));
}

void show_known_failures(Console &console, const std::vector<reports::Record> &records) {
  std::map<std::string, std::size_t> counts;
  for (const reports::Record &record : records)
    if (!record.known_failure.empty())
      ++counts[record.known_failure];
  for (const auto &[reason, count] : counts)
    console.line(fmt::format("    {} known to fail: {}", count, reason));
}

} // namespace

void require_no_night(const std::filesystem::path &folder) {
  if (reports::holds_records_of_night(folder))
    throw jit::BadRequest(
        fmt::format("--report: {} holds the records of a night, which this report would overwrite; name another folder",
                    folder.string()));
}

/// A function may change nothing where its output is its input.
bool has_nothing_when_shared(const FunctionToCheck &function, const std::vector<reports::Record> &records) {
  return records.empty() && std::ranges::any_of(function.request.arguments,
                                                [](const jit::ArgumentSpec &spec) { return spec.alias.has_value(); });
}

void show(Console &console, const FunctionToCheck &function, const CheckedFunction &checked, Verbosity verbosity) {
  const std::vector<reports::Record> &records = checked.records;
  if (verbosity == Verbosity::quiet && reports::totals_of(records).failed == 0)
    return;
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
  if (verbosity == Verbosity::verbose)
    show_combinations(console, records);
  show_lost_digits(console, records);
  show_failures(console, records);
  show_known_failures(console, records);
  show_undecided(console, records);
  show_limits(console, records);
}

} // namespace assay::cli
