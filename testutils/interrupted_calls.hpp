#pragma once
// Two calls from two threads at once, of code that cannot be changed. A timer interrupts the one somewhere,
// again and again, and the other one runs as a whole before it goes on. So races show on a machine that is busy, too,
// and with one core; which of them do is a matter of chance.

#include <functional>

namespace assay::testutils {

/// Calls `one` in this thread, interrupted by calls of `other` in another one, until either says that it has seen
/// something, or for some hundredths of a second.
void call_interrupted(const std::function<bool()> &one, const std::function<bool()> &other);

} // namespace assay::testutils
