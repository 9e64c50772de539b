#include "reports/grouping.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay::reports {

std::vector<FunctionGroup> group_by_function(const std::vector<Record> &records) {
  std::vector<FunctionGroup> groups;
  for (const Record &record : records) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const FunctionGroup &candidate) {
      return candidate.file == record.file && candidate.function == record.function &&
             candidate.records.front()->argument_specs == record.argument_specs;
    });
    if (group == groups.end())
      group = groups.insert(groups.end(), FunctionGroup{record.file, record.function, {}, {}, 0});
    group->records.push_back(&record);
    ++group->totals.checked;
    group->totals.passed += record.outcome == Outcome::passed;
    group->totals.failed += record.outcome == Outcome::failed;
    group->totals.undecided += record.outcome == Outcome::undecided;
    group->caught += record.expected_failure;
  }
  return groups;
}

std::string combination_text(const Record &record) {
  std::string text = record.mode + ": " + record.function + "(";
  for (std::size_t index = 0; index < record.activities.size(); ++index) {
    const std::string name = index < record.parameters.size() ? " " + record.parameters[index] : "";
    text += (index ? ", " : "") + record.activities[index] + name;
  }
  text += record.result_activity.empty() ? ")" : ") -> " + record.result_activity;
  if (record.width != 1)
    text += fmt::format(", width {}", record.width);
  if (record.split)
    text += ", split";
  if (record.runtime_activity)
    text += ", runtime activity";
  return text;
}

} // namespace assay::reports
