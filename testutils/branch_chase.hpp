#pragma once
// The alternating variable method: moves one coordinate after the other until a comparison falls out as wanted.

#include "testutils/branch_goal.hpp"
#include "testutils/coordinates.hpp"

#include <functional>

namespace assay::testutils {

/// A point with what was seen there of a goal.
struct Approach {
  Arguments inputs;
  Distance distance;
};

struct Chase {
  const Coordinates &coordinates;
  /// Nothing where the function cannot be judged, or the budget is spent.
  std::function<std::optional<Distance>(const Arguments &)> distance_at;
  /// In which they are tried; the first of them where there are many.
  std::vector<std::size_t> order;
  std::size_t most_calls = 150;

  /// From `start` as close as it comes; the goal is met where the distance says so.
  Approach from(Approach start);
};

} // namespace assay::testutils
