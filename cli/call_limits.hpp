#pragma once
// Limits of a process that runs a user's code: processor time of a single call, memory, and output. A call that reaches
// one ends its process, and the process that waits for it is told which.

#include <atomic>
#include <cstdint>

namespace assay::cli {

struct CallLimits {
  unsigned seconds = 0;     ///< Of processor time of one call; 0: no limit.
  std::uint64_t memory = 0; ///< In bytes, beyond what the process has when the limits are imposed; 0: no limit.
  std::uint64_t output =
      0; ///< In bytes that one call writes to standard output, standard error or a file; 0: no limit.
};

enum class ReachedLimit : int { none, processor_time, memory, output };

/// Imposes the limits on this process. `reached` is in memory that the waiting process sees as well.
void impose(const CallLimits &limits, std::atomic<ReachedLimit> &reached);

/// While it exists the user's code runs. Calls do not overlap.
class LimitedCall {
public:
  LimitedCall();
  ~LimitedCall();
  LimitedCall(const LimitedCall &) = delete;
  LimitedCall &operator=(const LimitedCall &) = delete;
};

} // namespace assay::cli
