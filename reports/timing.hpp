#pragma once
// Times of calls as quartiles, and the test of one being slower than another beyond noise.
//
// A call takes as long as the processor, its frequency and everything else on the machine let it. What must show for a
// derivative to be called slower than in a baseline, all of it:
//
//   - at least three calls were timed on both sides, and the function's and the derivative's medians are 250 ns or
//   more:
//     below, the clock is what one sees;
//   - its time in units of the function's own, which a slower machine or a loaded one hardly changes, has grown by
//   half,
//     and the spreads (from quartile to quartile) do not touch;
//   - where both ran on the same kind of processor, its time itself has grown by half beyond the spreads, too.

#include "reports/record.hpp"

namespace assay::reports {

/// Of no calls: zeros.
Timing timing_of(std::vector<double> nanoseconds);

/// The derivative's median in units of the function's; nothing where a call is too short to tell, or none was timed.
std::optional<double> cost_ratio(const Record &record);

bool is_slower(const Record &before, const Record &now);

} // namespace assay::reports
