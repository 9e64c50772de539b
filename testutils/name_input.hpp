#pragma once
// Forward mode among many inputs compares a derivative along one tangent, in which each of them has its part. Where it
// is wrong, halving the tangent finds an input by which it is.

#include "testutils/run.hpp"

namespace assay::testutils {

/// A hint of `record`, a wrong derivative at the stage's point, names the input. Nothing where reverse mode or the
/// number of inputs makes it unnecessary, or where no input by itself shows the fault.
void name_input(Stage &stage, Record &record);

} // namespace assay::testutils
