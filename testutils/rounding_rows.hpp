#pragma once
// Rows of a comparison that rounding may explain.

#include "testutils/spread.hpp"

namespace assay::testutils {

/// False where the oracle has no number: the tolerance is not a number there.
bool fails(const Comparison &row);

/// Whether rounding takes the numbers as far as they are from those that are expected.
bool may_be_rounding(const std::vector<Comparison> &rows, const Spread &spread);

} // namespace assay::testutils
