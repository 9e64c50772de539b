#include "testutils/branch_goal.hpp"

#include <cmath>
#include <limits>

namespace assay::testutils {

namespace {

constexpr double unreachable = std::numeric_limits<double>::infinity();

Distance distance_of(const BranchSummary::Side &side) {
  const double size = std::abs(side.left - side.right);
  return {false, side.count == 0 || std::isnan(size) ? unreachable : size, side.left, side.right};
}

} // namespace

bool Distance::is_reached() const {
  return is_met || std::isfinite(size);
}

Distance distance_to(const BranchGoal &goal, const BranchTrace &trace) {
  if (goal.site >= trace.sites.size())
    return {false, unreachable};
  const auto &[when_false, when_true] = trace.sites[goal.site].sides;
  if (goal.wanted == BranchGoal::Wanted::is_equal) {
    const Distance left = distance_of(when_false), right = distance_of(when_true);
    Distance closest = left.size < right.size ? left : right;
    closest.is_met = closest.size == 0;
    return closest;
  }
  const bool is_true = goal.wanted == BranchGoal::Wanted::is_true;
  const BranchSummary::Side &wanted = is_true ? when_true : when_false;
  if (wanted.count != 0)
    return {true, 0, wanted.left, wanted.right};
  return distance_of(is_true ? when_false : when_true);
}

} // namespace assay::testutils
