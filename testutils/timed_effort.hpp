#pragma once
// Compiled derivatives count nothing, so the clock tells what a call costs, and from that follows how much of the check
// a test gets (effort.hpp). Times are rounded to powers of two, so that runs on one machine mostly agree.

#include <assay/testing/check.hpp>

#include <string>

namespace assay::testutils {

/// Limits what `options` ask for to `options.seconds` of processor time, about: fewer combinations, drawn with the seed
/// where they are not named, fewer checks at each point, no wide arithmetic. Says what it leaves out; empty: nothing.
std::string fit_into_time(Subject &subject, CheckOptions &options);

/// The same where a call is known to take so long.
std::string fit_into_time(Subject &subject, CheckOptions &options, double seconds_of_call);

} // namespace assay::testutils
