#pragma once
// The signs of numbers that are small beside others of the same derivative.
//
// The absolute tolerance follows the largest numbers, since rounding may leave anything below a part of these. But it
// does not leave the number that is expected, digit by digit, with the other sign. Wide arithmetic knows each number to
// many digits, however small. So one that is minus the expected one, and is so in wide arithmetic of the derivative's
// own code as well, is wrong.

#include "testutils/run.hpp"

namespace assay::testutils {

/// For derivatives that agree with the precise oracle to the tolerance.
Finding check_signs(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome);

} // namespace assay::testutils
