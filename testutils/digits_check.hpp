#pragma once
// Generated derivatives are held to the precision of their arithmetic rather than to a tolerance. A number whose error
// lies between a few roundings and the tolerance is computed again by the derivative's own code in wide arithmetic; it
// fails if it is wrong there too, or if the derivative computes in a lower precision than the function. Registered
// rules are held to the tolerance alone, since an iteration may stop at it, and so is everything where the user gives
// one.

#include "testutils/run.hpp"

namespace assay::testutils {

/// For derivatives that agree with the precise oracle to the tolerance.
Finding check_digits(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome);

} // namespace assay::testutils
