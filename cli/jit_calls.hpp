#pragma once
// One call of a compiled function, or of one of its derivatives, with flat numbers.

#include "cli/derivative_call.hpp"

namespace assay::cli {

/// `entry` is one of `program`, whose global variables are put back first.
testutils::PrimalOutcome call_function(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                       const testutils::Arguments &inputs);

testutils::DerivativeOutcome call_derivative(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                             const testutils::DerivativeRequest &derivative);

} // namespace assay::cli
