#include "testutils/branch_turns.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

namespace {

constexpr std::size_t most_thresholds = 6; ///< Of a site.
constexpr std::size_t most_inputs = 64;    ///< Among which the operand is looked for.

} // namespace

void Turns::note(std::size_t site, const BranchSummary &summary, const Arguments &inputs) {
  Thresholds &known = thresholds_[site];
  for (const BranchSummary::Side &side : summary.sides)
    if (side.count != 0 && side.left != side.right && known.numbers.size() < most_thresholds) {
      note_pair(known, side.left, side.right, inputs);
      note_pair(known, side.right, side.left, inputs);
    }
}

void Turns::note_pair(Thresholds &known, double input, double threshold, const Arguments &inputs) const {
  if (!std::isfinite(threshold) || std::ranges::find(known.numbers, threshold) != known.numbers.end())
    return;
  for (std::size_t coordinate = 0; coordinate < std::min(coordinates_.count(), most_inputs); ++coordinate) {
    if (coordinates_.at(inputs, coordinate) != input)
      continue;
    std::optional<Arguments> moved = coordinates_.moved(inputs, coordinate, threshold);
    if (moved && coordinates_.at(*moved, coordinate) == threshold) {
      known.numbers.push_back(threshold);
      known.points.push_back(std::move(*moved));
    }
    return;
  }
}

} // namespace assay::testutils
