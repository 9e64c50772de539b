#pragma once
// What a search has seen of each comparison.

#include <assay/testing/branches.hpp>

#include <array>
#include <optional>
#include <vector>

namespace assay::testutils {

/// Of usual size, and checked anyway; found from one of those; or in the size of whose numbers a fault may be lost.
enum class Origin : std::uint8_t { usual, found, other };

struct Sighting {
  Arguments inputs;
  Origin origin = Origin::other;
};

/// What is known of one comparison.
struct Known {
  std::array<std::optional<Arguments>, 2> at;  ///< Inputs where it is false, and true.
  std::array<bool, 2> is_usual = {};           ///< At points that are checked anyway.
  std::array<std::optional<Sighting>, 2> best; ///< Of these, by their origin.
  std::optional<Arguments> equal;
  std::vector<Sighting> starts; ///< Where it was reached, the best origin first.
  /// Where chases ended that wanted it false, true, or its operands equal: beside points of usual size, where a fault
  /// is not lost in the size of everything.
  std::array<std::vector<Arguments>, 3> ends;
  std::optional<BranchSummary> first;
  bool varies = false;
};

/// Adds what a call at `sighting` compared there.
void learn(Known &known, const BranchSummary &summary, const Sighting &sighting);

} // namespace assay::testutils
