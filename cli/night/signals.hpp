#pragma once
// Ctrl-C and SIGTERM as a question that a loop asks.

namespace assay::cli {

/// From now on these signals do not end the process.
void hear_signals();
/// In a child they do.
void end_at_signals();
/// Whether one came; 0 or its number.
int heard_signal();
/// As a shell says it: 130, 143.
int exit_code_of_signal();

} // namespace assay::cli
