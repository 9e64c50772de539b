#pragma once
// Two calls of one derivative as two threads might run them: each is left at accesses to memory that both may reach,
// and the other one goes on. Thread-local variables belong to the call.

#include "cli/check_request.hpp"
#include "core/jit/program.hpp"
#include <assay/testing/subject.hpp>

#include <optional>

namespace assay::cli {

/// The first order of the two calls, of a fixed list, in which one of them gives other bits than alone; nothing where
/// there is none. `entry` is an interruptible one, and both requests are of its combination.
std::optional<testutils::Race> race_between(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                            const testutils::DerivativeRequest &first,
                                            const testutils::DerivativeRequest &second);

} // namespace assay::cli
