#pragma once
// What `gpu/verify-on-device` compares: where the environment's ASSAY_KERNEL_LOG names a file, the first derivative of
// each combination adds a line to it, `values`, the combination and the numbers of all shadows; on a device also
// `seconds`, the combination, and one launch of the kernel and of the derivative. Fields are separated by tabs.

#include <assay/testing/kernel_subject.hpp>

namespace assay::testutils {

struct LaunchTimes {
  double function = 0, derivative = 0;
};

/// Null where nothing is to be logged.
const char *kernel_log();

void log_values(const std::string &combination, const DerivativeOutcome &outcome);
void log_times(const std::string &combination, const LaunchTimes &times);

} // namespace assay::testutils
