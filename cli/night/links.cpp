#include "cli/night/links.hpp"

#include "reports/grouping.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace assay::cli {

namespace {

using reports::Outcome;
using reports::Record;

/// The functions of the mathematical library that give other results.
std::vector<std::string> other_functions(const NightHead &first, const NightHead &second) {
  std::vector<std::string> names;
  for (const auto &[name, digest] : first.libm) {
    const auto other = second.libm.find(name);
    if (other != second.libm.end() && other->second != digest)
      names.push_back(name);
  }
  return names;
}

/// Of a failure that is known, or was planted, it matters that it is.
std::string verdict_in_words(const Record &record) {
  return record.expected_failure || !record.known_failure.empty()
             ? fmt::format("{}, {} as expected", record.verdict, name_of(record.outcome))
             : record.verdict;
}

/// Empty where both have the same.
std::string changed_verdict(const Record &first, const Record &second) {
  const std::string before = verdict_in_words(first), now = verdict_in_words(second);
  return before == now ? "" : fmt::format("{} -> {}", before, now);
}

/// Empty where both are the same.
std::string first_link(const Record &first, const Record &second) {
  const reports::Provenance &a = first.provenance, &b = second.provenance;
  const std::string changed = changed_verdict(first, second), verdict = changed.empty() ? "" : ", " + changed;
  if (a.inputs != b.inputs)
    return (a.ir == b.ir ? "other inputs" : "other inputs and other IR") + verdict;
  if (a.ir != b.ir)
    return (a.gradients == b.gradients ? "same inputs, other IR, same gradient" : "same inputs, other IR") + verdict;
  if (a.gradients != b.gradients)
    return "same inputs and IR, other gradient" + verdict;
  return verdict.empty() ? "" : "same gradient, other verdict" + verdict;
}

/// Where its combinations are others. Empty: its verdict is as it was.
std::string change_of_case(const LoggedCase &first, const LoggedCase &second) {
  const std::string before = verdict_of(first), now = verdict_of(second);
  return before == now ? "" : fmt::format(", {} -> {}", before, now);
}

} // namespace

std::string first_changed_link(const LoggedCase &first, const LoggedCase &second) {
  std::multimap<std::string, const Record *> others; // Those of one combination stay in their order.
  for (const Record &record : second.records)
    others.emplace(reports::combination_text(record), &record);
  std::string found,
      other_verdict; // The second: of another combination, where the link found leaves its own as it was.
  std::size_t other_verdicts = 0;
  for (const Record &record : first.records) {
    const std::string combination = reports::combination_text(record);
    const auto other = others.lower_bound(combination);
    if (other == others.end() || other->first != combination)
      return fmt::format("no {} any more{}", combination, change_of_case(first, second));
    const Record &same = *other->second;
    others.erase(other);
    const std::string verdict = changed_verdict(record, same);
    if (const std::string link = first_link(record, same); found.empty() && !link.empty())
      found = fmt::format("{}, in {}", link, combination);
    else if (!verdict.empty() && other_verdicts++ == 0)
      other_verdict = fmt::format("{}, in {}", verdict, combination);
  }
  if (other_verdicts != 0)
    found += fmt::format("; {} other verdict{}: {}", other_verdicts, other_verdicts == 1 ? "" : "s", other_verdict);
  if (found.empty() && first.records.size() != second.records.size())
    return fmt::format("{} combinations, not {}{}", second.records.size(), first.records.size(),
                       change_of_case(first, second));
  return found;
}

namespace {

CaseChange::Kind kind_of(const LoggedCase &first, const LoggedCase &second) {
  const bool failed = outcome_of(first) == Outcome::failed, fails = outcome_of(second) == Outcome::failed;
  if (failed == fails)
    return CaseChange::Kind::other_link;
  return fails ? CaseChange::Kind::newly_failing : CaseChange::Kind::newly_passing;
}

std::map<std::string, const LoggedCase *> by_name(const NightRecords &night) {
  std::map<std::string, const LoggedCase *> cases;
  for (const LoggedCase &logged : night.cases)
    cases.emplace(logged.id, &logged);
  return cases;
}

} // namespace

std::string difference_of_places(const NightHead &first, const NightHead &second) {
  std::vector<std::string> parts;
  const reports::Provenance &a = first.provenance, &b = second.provenance;
  if (a.assay != b.assay)
    parts.push_back(fmt::format("Assay {}, not {}", b.assay, a.assay));
  if (a.llvm != b.llvm)
    parts.push_back(fmt::format("LLVM {}, not {}", b.llvm, a.llvm));
  if (a.flags != b.flags)
    parts.push_back(fmt::format("{}, not {}", b.flags, a.flags));
  if (const auto names = other_functions(first, second); !names.empty())
    parts.push_back(fmt::format("libm's {} {}", fmt::join(names, ", "), names.size() == 1 ? "differs" : "differ"));
  else if (!a.libm.empty() && !b.libm.empty() && a.libm != b.libm) // Heads of nights have those of functions alone.
    parts.emplace_back("libm differs");
  if (a.cpu != b.cpu)
    parts.push_back(fmt::format("{}, not {}", b.cpu, a.cpu));
  if (first.checks != second.checks)
    parts.push_back("other options of the checks");
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<CaseChange> changes(const NightRecords &first, const NightRecords &second) {
  using Kind = CaseChange::Kind;
  const auto ours = by_name(first), theirs = by_name(second);
  const std::string places = difference_of_places(first.head, second.head);
  std::vector<CaseChange> found;
  for (const auto &[id, logged] : ours) {
    const auto other = theirs.find(id);
    if (other == theirs.end()) {
      found.push_back({id, Kind::only_in_first, "only in the first"});
      continue;
    }
    const std::string link = first_changed_link(*logged, *other->second);
    if (!link.empty())
      found.push_back({id, kind_of(*logged, *other->second), places.empty() ? link : link + ": " + places});
  }
  for (const auto &[id, logged] : theirs)
    if (!ours.contains(id))
      found.push_back({id, Kind::only_in_second, "only in the second"});
  std::ranges::sort(found, {}, &CaseChange::id);
  return found;
}

} // namespace assay::cli
