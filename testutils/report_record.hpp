#pragma once
// A record of the gradient check as a record of a report.

#include "reports/record.hpp"
#include <assay/testing/record.hpp>

namespace assay::testutils {

/// Mode, form and activities.
void describe_combination(reports::Record &record, const Signature &signature, const Combination &combination);

/// Everything but where the function comes from.
reports::Record report_record(const Signature &signature, const Record &source);

} // namespace assay::testutils
