#pragma once
// Generated code is the derivative of the function but for rounding. So in wide arithmetic both agree to far more
// digits than tolerances ask for, and a term that is wrong shows itself however small it is beside the others.

#include "testutils/run.hpp"

namespace assay::testutils {

/// `outcome` is what `request` gave. A pass where there is no wide version of the derivative, or where it computes with
/// coarser numbers than doubles.
Finding check_last_digits(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome);

} // namespace assay::testutils
