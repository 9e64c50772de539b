#pragma once
// Which registered derivative a failure is the fault of. That is found by experiment: without the rule, the engine
// differentiates the function's own body, and the failure is gone or stays.

#include "testutils/run.hpp"

namespace assay::testutils {

/// Fills in `record.rule`, or says in a hint that no rule is at fault.
void blame_rule(Stage &stage, Record &record);

} // namespace assay::testutils
