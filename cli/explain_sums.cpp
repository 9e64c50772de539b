#include "cli/explain_sums.hpp"

#include "cli/explain_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace assay::cli {

namespace {

using engine::ExplainedSum;
using engine::ExplainedSumGroup;
using engine::ExplainedSums;

/// `x[i] (line 3), y (line 4) and 2 more`, each once.
std::string named(const std::vector<const ExplainedSum *> &sums) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  for (const ExplainedSum *sum : sums)
    if (std::string name = with_line(sum->name, sum->place); std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  const std::size_t shown = std::min(most, names.size());
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + std::ptrdiff_t(shown), ", "));
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

std::string line_of_group(const ExplainedSumGroup &group, const std::vector<const ExplainedSum *> &members) {
  std::vector<std::int64_t> offsets;
  for (const ExplainedSum *sum : members)
    if (offsets.empty() || offsets.back() != sum->offset)
      offsets.push_back(sum->offset);
  std::string text = fmt::format("{}: {} numbers at bytes {}, added by one {} sum of a warp", named(members),
                                 offsets.size(), fmt::join(offsets, ", "), group.kind);
  if (group.loop.line > 0)
    text += fmt::format(", behind the loop at {}", place_text(group.loop));
  return group.unless_local ? text + ", unless the memory is the thread's own" : text;
}

std::string way_of(const ExplainedSum &sum) {
  std::string text = sum.add == "atomic unless local" ? "atomic, unless the memory is the thread's own" : sum.add;
  return sum.once_for_lanes ? text + "; once for the lanes of a warp that mean one place" : text;
}

} // namespace

std::vector<std::string> lines_of_sums(const ExplainedSums &sums) {
  std::vector<std::string> lines;
  for (std::size_t group = 0; group < sums.groups.size(); ++group) {
    std::vector<const ExplainedSum *> members;
    for (const ExplainedSum &sum : sums.sums)
      if (sum.group == group)
        members.push_back(&sum);
    lines.push_back(line_of_group(sums.groups[group], members));
  }
  std::vector<std::pair<std::string, std::vector<const ExplainedSum *>>> by_way;
  for (const ExplainedSum &sum : sums.sums) {
    if (sum.group)
      continue;
    const std::string way = way_of(sum);
    auto found = std::find_if(by_way.begin(), by_way.end(), [&](const auto &entry) { return entry.first == way; });
    if (found == by_way.end())
      found = by_way.insert(by_way.end(), {way, {}});
    found->second.push_back(&sum);
  }
  for (const auto &[way, members] : by_way)
    lines.push_back(named(members) + ": " + way);
  for (const engine::ExplainedUpdate &update : sums.updates)
    lines.push_back(
        fmt::format("{} {}{}: its adjoint {}", update.form, update.name, line_note(update.place), update.adjoint));
  return lines;
}

} // namespace assay::cli
