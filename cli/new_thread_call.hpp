#pragma once
// A call as a thread makes it that has just begun. Code that runs before main, as constructors do, sets thread-local
// variables of the main thread alone.

#include "cli/derivative_call.hpp"
#include <optional>

namespace assay::cli {

/// Nothing where a new thread has the variables that the main one has, or the function itself uses such variables.
std::optional<testutils::DerivativeOutcome> call_in_new_thread(const CheckRequest &request, const jit::Program &program,
                                                               jit::Entry entry,
                                                               const testutils::DerivativeRequest &derivative);

} // namespace assay::cli
