#pragma once
// Calls in the other rounding modes of the processor, as programs make them that compute bounds. Where a mode moves the
// function by little, and neighbouring numbers its derivative, it moves the derivative by little.

#include "testutils/run.hpp"

namespace assay::testutils {

/// Of derivatives that use registered rules: generated code does not ask for the mode.
Finding check_rounding_modes(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome);

} // namespace assay::testutils
