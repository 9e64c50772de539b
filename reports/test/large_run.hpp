#pragma once
// A night of many records, with everything that the page shows, and the run that it is compared with.

#include "reports/past_nights.hpp"
#include "reports/record.hpp"

namespace assay::reports::test {

struct LargeRun {
  Run before, now;
  PastNights past;
};

LargeRun large_run(std::size_t records);

} // namespace assay::reports::test
