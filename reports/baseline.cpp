#include "reports/baseline.hpp"

#include "reports/grouping.hpp"
#include "reports/timing.hpp"
#include <fmt/format.h>
#include <map>

namespace assay::reports {

namespace {

int badness(const Record &record) {
  return record.outcome == Outcome::failed ? 2 : record.outcome == Outcome::undecided ? 1 : 0;
}

std::map<std::string, const Record *> worst_by_subject(const Run &run) {
  std::map<std::string, const Record *> records;
  for (const Record &record : run.records) {
    const auto [known, is_new] = records.emplace(subject_of(record), &record);
    if (!is_new && badness(record) > badness(*known->second))
      known->second = &record;
  }
  return records;
}

double worst_error(const Record &record) {
  return record.worst.empty() ? 0 : record.worst.front().relative_error;
}

bool both_passed(const Record &before, const Record &now) {
  return before.outcome == Outcome::passed && now.outcome == Outcome::passed;
}

bool is_less_accurate(const Record &before, const Record &now) {
  constexpr double growth = 10, visible = 1e-12;
  return both_passed(before, now) && worst_error(now) > visible && worst_error(now) > growth * worst_error(before);
}

/// A night draws others with another seed: that one is new, or missing, says nothing.
bool is_drawn(const Record &record) {
  return record.file.empty() && !record.case_id.empty();
}

} // namespace

std::string_view name_of(Change::Kind kind) {
  switch (kind) {
  case Change::Kind::newly_failing:
    return "newly failing";
  case Change::Kind::newly_passing:
    return "newly passing";
  case Change::Kind::less_accurate:
    return "less accurate";
  case Change::Kind::slower:
    return "slower";
  case Change::Kind::only_now:
    return "new";
  case Change::Kind::only_before:
    return "missing";
  case Change::Kind::still_failing:
    return "failing before, too";
  }
  return "";
}

/// The name of a case of a file ends in its seed.
static std::string place_of(const Record &record) {
  if (record.case_id.empty())
    return record.file;
  return record.file.empty() ? record.case_id : record.case_id.substr(0, record.case_id.rfind('@'));
}

std::string subject_of(const Record &record) {
  std::string text = place_of(record);
  for (const std::string &spec : record.argument_specs)
    text += '\n' + spec;
  return text + '\n' + combination_text(record);
}

/// Of a change that is one for the worse, how much; empty for others.
std::string extent_of(const Change &change) {
  if (change.kind == Change::Kind::less_accurate)
    return fmt::format("relative error {:.2g}, was {:.2g}", worst_error(*change.now), worst_error(*change.before));
  if (change.kind == Change::Kind::slower)
    return fmt::format("{:.3g} times the function's time, was {:.3g}; {:.3g} us, was {:.3g}", *cost_ratio(*change.now),
                       *cost_ratio(*change.before), change.now->times->derivative.median / 1e3,
                       change.before->times->derivative.median / 1e3);
  if (change.before && change.now && change.before->verdict != change.now->verdict)
    return fmt::format("{}, was {}", change.now->verdict, change.before->verdict);
  return {};
}

std::vector<Change> changes_since(const Run &baseline, const Run &run) {
  using Kind = Change::Kind;
  const auto before = worst_by_subject(baseline), now = worst_by_subject(run);
  std::vector<Change> changes;
  for (const auto &[subject, record] : now) {
    const auto old = before.find(subject);
    const bool fails = record->outcome == Outcome::failed;
    if (old == before.end() && fails)
      changes.push_back({Kind::newly_failing, nullptr, record});
    else if (old == before.end() && !is_drawn(*record))
      changes.push_back({Kind::only_now, nullptr, record});
    else if (old == before.end())
      continue;
    else if (fails && old->second->outcome != Outcome::failed)
      changes.push_back({Kind::newly_failing, old->second, record});
    else if (!fails && old->second->outcome == Outcome::failed)
      changes.push_back({Kind::newly_passing, old->second, record});
    else if (fails)
      changes.push_back({Kind::still_failing, old->second, record});
    else if (is_less_accurate(*old->second, *record))
      changes.push_back({Kind::less_accurate, old->second, record});
    else if (both_passed(*old->second, *record) && is_slower(*old->second, *record))
      changes.push_back({Kind::slower, old->second, record});
  }
  for (const auto &[subject, record] : before)
    if (!now.contains(subject) && !is_drawn(*record))
      changes.push_back({Kind::only_before, record, nullptr});
  std::map<Kind, std::vector<Change>> by_kind;
  for (const Change &change : changes)
    by_kind[change.kind].push_back(change);
  changes.clear();
  for (const auto &[kind, some] : by_kind)
    changes.insert(changes.end(), some.begin(), some.end());
  return changes;
}

} // namespace assay::reports
