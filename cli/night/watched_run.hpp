#pragma once
// The programs of a case under a debugger or under sanitizers.

#include "cli/console.hpp"
#include "cli/night/emission.hpp"

namespace assay::cli {

/// Builds the program with debug information and runs it in gdb, or lldb where there is no gdb, up to its derivatives.
/// Returns when the user has left. Throws jit::BadRequest.
void debug_program(const EmittedProgram &program);

/// Builds the program with AddressSanitizer and UndefinedBehaviorSanitizer, runs it within the limits of its settings
/// and prints their findings. Returns the number of findings. Throws jit::BadRequest.
std::size_t run_with_sanitizers(Console &console, const EmittedProgram &program);

} // namespace assay::cli
