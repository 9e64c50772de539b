#pragma once
// What `gpu/verify-on-device` compares: where the environment's ASSAY_KERNEL_LOG names a file, the first derivatives of
// each combination add a line to it: `values`, the combination, a digest of what was asked, and the numbers of all
// shadows. On a device also `seconds`, the combination, and one launch of the kernel and of the derivative. Fields are
// separated by tabs. Another oracle asks in another order: only what was asked alike can be compared.

#include <assay/testing/kernel_subject.hpp>

namespace assay::testutils {

struct LaunchTimes {
  double function = 0, derivative = 0;
};

/// Null where nothing is to be logged.
const char *kernel_log();

void log_values(const std::string &combination, const DerivativeRequest &request, const DerivativeOutcome &outcome);
void log_times(const std::string &combination, const LaunchTimes &times);

} // namespace assay::testutils
