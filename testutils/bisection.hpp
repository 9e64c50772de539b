#pragma once
// The threshold between two points.

#include "testutils/coordinates.hpp"

#include <functional>

namespace assay::testutils {

struct Bracket {
  Arguments inside, outside;
};

/// Neighbouring points on the way between those of `bracket`, at one of which `is_inside` holds and at the other does
/// not. Coordinates that do not matter are made equal first. Nothing for `is_inside`: it cannot be told there.
Bracket bisect(const Coordinates &coordinates, Bracket bracket,
               const std::function<std::optional<bool>(const Arguments &)> &is_inside);

} // namespace assay::testutils
