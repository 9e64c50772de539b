#pragma once
// One combination at all points of a run.

#include "testutils/points.hpp"

namespace assay::testutils {

/// Failed if it failed at any point, else undecided if it is at any, else as at the last one. Points beyond those that
/// get every check are looked at with fewer.
Record check_points(Points &points, const Combination &combination, const CheckOptions &options);

/// The part of it at `CheckOptions::branch_points`.
std::optional<Record> failure_at_branches(Points &points, const Combination &combination, const CheckOptions &options);

} // namespace assay::testutils
