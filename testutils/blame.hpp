#pragma once
// Which registered derivative a failure is the fault of. That is found by experiment: without the rule, the engine
// differentiates the function's own body, and the failure is gone or stays.

#include "testutils/run.hpp"

namespace assay::testutils {

/// The registered derivative that gives a number which is not finite at `request`, where the engine's own derivative of
/// the function's body gives finite ones, or where there is no such derivative to ask.
std::optional<Rule> rule_that_overflows(Subject &subject, const DerivativeRequest &request);

/// Fills in `record.rule`, or says in a hint that no rule is at fault.
void blame_rule(Stage &stage, Record &record);

} // namespace assay::testutils
