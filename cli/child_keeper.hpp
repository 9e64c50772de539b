#pragma once
// A process between this one and a child. Where this process is killed, and can tidy up no more, it ends the child and
// all that the child has started, also processes that have left its group and its session.

#include <functional>
#include <sys/types.h>

namespace assay::cli {

/// Runs `work`, which does not return, in a grandchild. The result is the number of the keeper, in a process group of
/// its own, or -1 where no process can be started. The keeper ends as the grandchild does, by the same signal or with
/// the same exit code, once nothing of it is left; and where the keeper is killed, so is the grandchild.
pid_t fork_with_keeper(const std::function<void()> &work);

} // namespace assay::cli
