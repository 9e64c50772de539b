#pragma once
// Calls that tell whether an operation overflowed or underflowed, whichever front end makes them.

#include <assay/testing/subject.hpp>

namespace assay::testutils {

/// With `left_range` set also where the call only raised the floating-point exceptions.
DerivativeOutcome differentiate_ranged(Subject &subject, const DerivativeRequest &request);
PrimalOutcome evaluate_ranged(Subject &subject, const Arguments &inputs);

} // namespace assay::testutils
