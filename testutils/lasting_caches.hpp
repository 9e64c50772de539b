#pragma once
// Caches that keep everything, in a program whose variables nobody puts back: a derivative that was computed once is
// found again whatever is called between. So a call at inputs that the cache takes for others has to come before the
// first one at those, and the oracle tells what that one should give.

#include "testutils/run.hpp"

namespace assay::testutils {

/// At inputs beside the point at which the derivative has not been called yet.
Finding check_lasting_caches(Stage &stage, const DerivativeRequest &request);

} // namespace assay::testutils
