#pragma once
// A derivative that the engine wrote has the digits of its arithmetic, not those of a tolerance: what differs from wide
// arithmetic by more than a few roundings, yet less than the tolerance, is wrong where its code gives another number in
// wide arithmetic as well, or computes with coarser numbers than the function. Of registered rules no more is asked
// than the tolerance, which an iteration may use up; nor is it where the user gives a tolerance.

#include "testutils/run.hpp"

namespace assay::testutils {

/// To be asked of what agrees with the precise oracle to the tolerance.
Finding check_digits(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome);

} // namespace assay::testutils
