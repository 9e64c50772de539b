#pragma once
// A reverse sweep that needs an argument which the function overwrites must have kept it. One that reads it from memory
// instead finds what the function left there, and gives the derivative at that point.

#include "testutils/run.hpp"

namespace assay::testutils {

/// Adds a hint to a record with a wrong derivative at the stage's point.
void hint_at_stale_memory(Stage &stage, Record &record);

} // namespace assay::testutils
