#pragma once
// Points in whose neighbourhood comparisons were searched already, and where several of them together may fall out as
// they do nowhere else: a rule that rounds to zero takes the other side than a function that rounds down only between
// two of the function's own thresholds.

#include "testutils/bisection.hpp"

#include <assay/testing/branches.hpp>

namespace assay::testutils {

/// Whether a call has shown one outcome of a site, then the other, for each of `sites`.
using Path = std::vector<bool>;
Path path_of(const BranchTrace &trace, std::size_t sites);

/// With the other sign of all coordinates, first, and of each of the first few.
std::vector<Arguments> mirrored(const Coordinates &coordinates, const Arguments &inputs);

/// On both sides of a threshold, at distances from it that grow by powers.
std::vector<Arguments> beside(const Coordinates &coordinates, const Bracket &bracket);

} // namespace assay::testutils
