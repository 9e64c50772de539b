// Witnesses that agree form a group with those whom they agree with.

#include "testutils/oracle.hpp"
#include "testutils/triangulation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

namespace {

using Group = std::vector<const Witness *>;

bool agree(const Witness &left, const Witness &right, double tolerance) {
  return std::abs(left.value - right.value) <= tolerance + error_margin * (left.error + right.error);
}

std::string names_of(const Group &group) {
  std::vector<std::string> names;
  for (const Witness *witness : group)
    names.push_back(witness->name);
  if (names.size() == 1)
    return names.front();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::vector<Group> groups_of(const std::vector<Witness> &witnesses, double tolerance) {
  std::vector<Group> groups;
  for (const Witness &witness : witnesses) {
    const auto own =
        std::ranges::find_if(groups, [&](const Group &group) { return agree(*group.front(), witness, tolerance); });
    if (own == groups.end())
      groups.push_back({&witness});
    else
      own->push_back(&witness);
  }
  std::ranges::sort(groups, [](const Group &left, const Group &right) {
    return left.size() == right.size() ? left.front() < right.front() : left.size() > right.size();
  });
  return groups;
}

bool are_oracles(const Group &group) {
  return std::ranges::all_of(group, [](const Witness *witness) { return witness->is_oracle; });
}

} // namespace

std::string odd_one_of(const std::vector<Witness> &witnesses, double tolerance) {
  const std::vector<Group> groups = groups_of(witnesses, tolerance);
  if (groups.empty())
    return {};
  if (groups.size() == 1)
    return fmt::format("{} agree along this direction", names_of(groups.front()));
  const Group &most = groups.front();
  if (most.size() == 1)
    return "no two of them agree";
  const std::string together = fmt::format("{} agree", names_of(most));
  if (groups.size() > 2 || groups[1].size() == most.size()) {
    std::vector<std::string> sides;
    for (const Group &group : groups)
      sides.push_back(names_of(group) + (group.size() == 1 ? " is alone" : " agree"));
    return fmt::format("{}", fmt::join(sides, "; "));
  }
  const Group &odd = groups[1];
  if (are_oracles(odd)) // Where both modes are wrong alike, the many are not right.
    return fmt::format("{}, and differ from {}: look for a rule that all of them use", together, names_of(odd));
  return odd.size() == 1 ? fmt::format("{} is the odd one: {}", names_of(odd), together)
                         : fmt::format("{} are the odd ones: {}", names_of(odd), together);
}

} // namespace assay::testutils
