#include "reports/markdown.hpp"

#include "reports/grouping.hpp"
#include "reports/printable.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace assay::reports {

namespace {

constexpr std::size_t most_shown = 20;

/// A fence that is longer than any in the text.
std::string block(const std::string &text) {
  std::size_t longest = 2, ticks = 0;
  for (const char c : text) {
    ticks = c == '`' ? ticks + 1 : 0;
    longest = std::max(longest, ticks);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}\n{}{}{}\n", fence, text, text.ends_with('\n') ? "" : "\n", fence);
}

/// In a cell of a table, with nothing that Markdown would read.
std::string cell(const std::string &text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("|\\`*_<>[]#").find(c) != std::string_view::npos)
      result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string totals(const Run &run) {
  const Totals totals = totals_of(run.records);
  return fmt::format("| checked | passed | failed | undecided |\n|---:|---:|---:|---:|\n| {} | {} | {} | {} |\n",
                     totals.checked, totals.passed, totals.failed, totals.undecided);
}

std::string title_of(const Record &record) {
  const std::string &place = record.case_id.empty() ? record.file : record.case_id;
  return fmt::format("{}, {}", place, combination_text(record));
}

std::string function_of(const Record &record) {
  return fmt::format("{}, {}", record.case_id.empty() ? record.file : record.case_id, record.function);
}

/// For each kind and function how many combinations, with the verdicts of the first.
std::vector<std::pair<std::string, std::string>> by_function(const std::vector<Change> &changes) {
  struct Group {
    const Change *first;
    std::size_t count;
  };
  std::map<std::pair<Change::Kind, std::string>, Group> groups;
  for (const Change &change : changes)
    ++groups.try_emplace({change.kind, function_of(change.now ? *change.now : *change.before)}, Group{&change, 0})
          .first->second.count;
  std::map<Change::Kind, std::size_t> shown;
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto &[about, group] : groups) {
    if (about.first == Change::Kind::still_failing || shown[about.first]++ >= most_shown)
      continue; // Failures stand below.
    const Change &first = *group.first;
    lines.emplace_back(fmt::format("{}: {}", name_of(about.first), about.second),
                       fmt::format("{} combination{}{}{}", group.count, group.count == 1 ? "" : "s",
                                   extent_of(first).empty() ? "" : ": ", extent_of(first)));
  }
  return lines;
}

std::string changes_text(const std::vector<Change> &changes) {
  std::string text = "\n## Since the baseline\n\n";
  if (changes.empty())
    return text + "Nothing changed.\n";
  std::map<Change::Kind, std::size_t> counts;
  for (const Change &change : changes)
    ++counts[change.kind];
  text += "| change | combinations |\n|---|---:|\n";
  for (const auto &[kind, count] : counts)
    text += fmt::format("| {} | {} |\n", name_of(kind), count);
  text += "\n";
  for (const auto &[about, some] : by_function(changes))
    text += fmt::format("- {}: {}\n", cell(about), some);
  return text;
}

/// One failure of each function in full, and how many there are.
std::string failures(const Run &run) {
  std::vector<const Record *> first;
  std::map<std::string, std::size_t> counts;
  for (const Record &record : run.records)
    if (record.outcome == Outcome::failed && ++counts[function_of(record)] == 1)
      first.push_back(&record);
  std::string text = first.empty() ? "" : "\n## Failures\n";
  for (std::size_t index = 0; index < first.size() && index < most_shown; ++index) {
    const Record &record = *first[index];
    text += fmt::format("\n### {}: {}\n\n", cell(record.verdict), cell(title_of(record)));
    if (const std::size_t count = counts[function_of(record)]; count > 1)
      text += fmt::format("{} combinations fail; this is the first.\n\n", count);
    text += block(record.message.empty() ? record.detail : record.message);
    if (!record.replay.empty())
      text += "\n" + block(record.replay);
  }
  if (first.size() > most_shown)
    text += fmt::format("\nFailures of {} more functions are in the page.\n", first.size() - most_shown);
  return text;
}

} // namespace

std::string to_markdown(const Run &run, const std::optional<std::vector<Change>> &changes) {
  std::string text = fmt::format("# Assay: {}\n\nSeed {}. {}.\n\n{}", closing_line(totals_of(run.records)), run.seed,
                                 cell(run.environment), totals(run));
  for (const std::string &note : run.notes)
    text += fmt::format("{}- {}\n", &note == &run.notes.front() ? "\n" : "", cell(note));
  if (changes)
    text += changes_text(*changes);
  return printable(text + failures(run));
}

} // namespace assay::reports
