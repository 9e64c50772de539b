#pragma once
// Numbers that are small beside others of the same derivative, each on its own scale.
//
// The absolute tolerance follows the largest numbers, since rounding may leave anything below a part of these. But it
// does not leave the number that is expected with another sign or twice it, digit by digit, and nothing like it far
// below its own square. Wide arithmetic knows each number to many digits, however small. So one that is another than
// the expected one in such a way, and is the same in wide arithmetic of the derivative's own code, is wrong.

#include "testutils/run.hpp"

namespace assay::testutils {

/// For derivatives that agree with the precise oracle to the tolerance.
Finding check_small_numbers(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome);

} // namespace assay::testutils
