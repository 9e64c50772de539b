#pragma once
// Ctrl-C and SIGTERM end a command between two of its steps: the results so far are told and written.

#include <optional>

namespace assay::cli {

/// From now on SIGINT and SIGTERM are noted; a second one ends the process at once.
void watch_for_interruption();

/// The signal that came.
std::optional<int> interruption();

/// In a child: these signals end it again.
void end_at_interruption();

} // namespace assay::cli
