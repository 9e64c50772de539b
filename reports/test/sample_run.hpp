#pragma once
// A run with one record of every kind.

#include "reports/record.hpp"

namespace assay::reports::test {

Run sample_run();

} // namespace assay::reports::test
