#include "testutils/branch_knowledge.hpp"

#include <algorithm>

namespace assay::testutils {

namespace {

constexpr std::size_t most_starts = 3; ///< Of one chase.

bool differ(const BranchSummary &left, const BranchSummary &right) {
  for (std::size_t side = 0; side < 2; ++side) {
    const BranchSummary::Side &a = left.sides[side], &b = right.sides[side];
    if ((a.count == 0) != (b.count == 0) || (a.count != 0 && (a.left != b.left || a.right != b.right)))
      return true;
  }
  return false;
}

void add_start(std::vector<Sighting> &starts, const Sighting &sighting) {
  const auto behind = std::ranges::upper_bound(starts, sighting.origin, {}, &Sighting::origin);
  if (behind - starts.begin() < std::ssize(starts) || starts.size() < most_starts)
    starts.insert(behind, sighting);
  starts.resize(std::min(starts.size(), most_starts));
}

} // namespace

void learn(Known &known, const BranchSummary &summary, const Sighting &sighting) {
  if (summary.sides[0].count + summary.sides[1].count == 0)
    return;
  if (!known.first)
    known.first = summary;
  known.varies = known.varies || differ(*known.first, summary);
  add_start(known.starts, sighting);
  for (std::size_t side = 0; side < 2; ++side) {
    const BranchSummary::Side &here = summary.sides[side];
    if (here.count == 0)
      continue;
    if (!known.at[side])
      known.at[side] = sighting.inputs;
    if (!known.best[side] || sighting.origin < known.best[side]->origin)
      known.best[side] = sighting;
    known.is_usual[side] = known.is_usual[side] || sighting.origin == Origin::usual;
    if (here.left == here.right && !known.equal)
      known.equal = sighting.inputs;
  }
}

} // namespace assay::testutils
