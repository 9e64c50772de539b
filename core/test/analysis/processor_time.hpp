#pragma once
// How long something takes on a machine that others use, too.

#include <ctime>

namespace assay::test {

/// The processor's time of this process so far.
inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace assay::test
