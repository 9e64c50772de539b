#pragma once
// ASSAY_CHECK_FAILS: the check of a function whose derivative is wrong on purpose passes if it finds that.

#include "reports/record.hpp"

#include <vector>

namespace assay::cli {

/// A planted failure that was found is what was wanted; one that was not found is the failure. A crash finds nothing.
void judge_planted_failure(std::vector<reports::Record> &records);

} // namespace assay::cli
